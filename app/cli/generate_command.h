#pragma once
#include <string>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/model_library.h"
#include "core/decode/constraint_check.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer generate`: continues a text, or writes one from a source, greedily, by sampling or by beam
/// search.
struct GenerateCommand {
  static constexpr const char *name = "generate", *about = "continue a text";

  std::string model = "stories", text, source;
  Decoding decoding{.strategy = DecodingStrategy::Greedy, .depth = 40};
  std::vector<std::string> choices;  ///< "norm=rms"
  bool json = false;
  bool explain = false;             ///< each step with what every stage of sampling leaves, as JSON
  std::string until;                ///< ends behind this; empty: nowhere in particular
  std::string match;                ///< a regular expression that the continuation has to match; empty: none
  std::string draft;                ///< a smaller model that proposes what this one checks; empty: none
  int proposals = 4;                ///< so many tokens at once
  int branches = 0;                 ///< so many continuations are told, with their probabilities; 0: the one
  std::vector<std::string> banned;  ///< tokens that are not in it, as they are written behind a text

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;

 private:
  Status check(const ModelConfig& config) const;
  /// Behind a prompt of so many tokens.
  Result<ConstraintCheck> constraint(std::shared_ptr<const Tokenizer> tokenizer, const ModelConfig& config,
                                     int read) const;
};

}  // namespace glassformer
