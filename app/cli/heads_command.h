#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/model_library.h"
#include "app/engine/question.h"
#include "core/lens/attention_rule.h"
#include "core/lens/head_id.h"
#include "core/model/live_pass.h"
#include "core/train/held_out_texts.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer heads`: scores every head of a model by every stock rule about where heads look (see
/// core/lens/detection_patterns.h), or by rules that are given (see core/lens/attention_rule.h), on
/// held-out texts of the task that it was trained on, or on given ones. Of given rules it also says
/// where the best head does something else, and how much of the loss comes back with the rule in its
/// place.
struct HeadsCommand {
  static constexpr const char *name = "heads",
                              *about = "find heads by their attention rules, such as induction heads";

  std::string model = "stories";
  std::string text, source;  ///< one text; empty: those of the file
  std::string file;          ///< a text in every line, of an encoder-decoder its source and a tab before it
  int texts = 200;           ///< of the task, where neither is given
  std::uint64_t seed = 1;    ///< which texts those are
  bool repeats = false;      ///< random tokens of those texts, said twice
  std::vector<std::string> choices;  ///< "norm=rms"
  std::vector<std::string> rules;    ///< "induction"; empty: all that have a name
  std::string head;                  ///< "L1H0": what each rule says of this one alone; empty: of all
  bool weights = false;  ///< of that head, what its weights alone say, among the tokens of those texts
  int best = 5;          ///< heads listed for each rule; as JSON all are
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;

 private:
  Question question(const LoadedModel& loaded, std::size_t count) const;
  void tryRules(const LoadedModel& loaded, LivePass& pass, const std::vector<TokenText>& read,
                const std::vector<AttentionRule>& own, std::optional<HeadId> only) const;
};

}  // namespace glassformer
