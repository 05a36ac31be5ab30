#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace glassformer {

/// `glassformer heads`: scores every head of a model by every stock hypothesis about where heads look (see
/// core/lens/head_hypotheses.h), on held-out texts of the task that it was trained on, or on given ones.
struct HeadsCommand {
  std::string model = "stories";
  std::string text, source;  ///< one text; empty: those of the file
  std::string file;          ///< a text in every line, of an encoder-decoder its source and a tab before it
  int texts = 200;           ///< of the task, where neither is given
  std::uint64_t seed = 1;    ///< which texts those are
  bool repeats = false;      ///< random tokens of those texts, said twice
  std::vector<std::string> choices;  ///< "norm=rms"
  int best = 5;                      ///< heads listed for each hypothesis; as JSON all are
  bool json = false;

  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
