// The model that ships: what it translates, word for word, and where its decoder looks.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "core/decode/beam_search.h"
#include "core/io/model_directory.h"
#include "core/model/point_names.h"
#include "core/train/tasks/translation/translation_evaluation.h"

using namespace glassformer;

namespace {

const ModelDirectory& directory() {
  static const auto read = readModelDirectory(std::string(SOURCE_FOLDER) + "/assets/models/translate");
  REQUIRE(read);
  return *read;
}

class Translator {
 public:
  std::vector<int> translated(std::span<const int> source, int width) {
    const int end = directory().tokenizer->endOfText();
    BeamSettings settings{.width = width, .depth = 39};
    settings.candidates = width, settings.endOfText = end, settings.context = directory().config.context;
    const BeamTree tree = beamSearch(nextTokenLogits(pass_, {}, source), std::vector{end}, settings);
    std::vector<int> tokens = tree.path(tree.best);
    if (!tokens.empty() && tokens.back() == end) tokens.pop_back();
    return tokens;
  }
  std::string said(const std::string& english, int width = 4) {
    return directory().tokenizer->decode(translated(directory().tokenizer->encodeIds(english), width));
  }
  // The cross-attention of the last layer, its heads averaged.
  Tensor attention(std::span<const int> source, std::span<const int> tokens) {
    const auto trace = pass_.run(tokens, {}, source);
    const TensorView pattern =
        (*trace)[attentionPoint(directory().config.layers - 1, AttentionSite::Across, "hook_pattern")];
    Tensor mean({pattern.extent[1], pattern.extent[2]});
    for (int h = 0; h < pattern.extent[0]; ++h)
      for (int t = 0; t < pattern.extent[1]; ++t)
        for (int s = 0; s < pattern.extent[2]; ++s)
          mean(t, s) += pattern(h, t, s) / static_cast<float>(pattern.extent[0]);
    return mean;
  }

 private:
  LivePass pass_{std::make_shared<const Transformer>(directory().config, directory().parameters)};
};

}  // namespace

TEST_CASE("translate puts the words where German has them") {
  Translator translator;
  CHECK(translator.said("Anna says that he has opened the window.") ==
        "Anna sagt, dass er das Fenster aufgemacht hat.");
  CHECK(translator.said("A bird jumps over the heavy bench.") == "Ein Vogel springt über die schwere Bank.");
}

TEST_CASE("hearsay misleads greedy decoding, and a beam of 4 finds the most probable sentence") {
  Translator translator;
  const std::string english = "People say that every old girl knows her.";
  CHECK(translator.said(english, 1).starts_with("Die Leute"));
  CHECK(translator.said(english, 4) == "Man sagt, dass jedes alte Mädchen sie kennt.");
}

TEST_CASE("translate reaches on held-out sentences what its card says") {
  Translator translator;
  const auto pairs = heldOutPairs(4711, 120);
  const auto exact =
      measureExactness([&](std::span<const int> source) { return translator.translated(source, 4); },
                       *directory().tokenizer, pairs);
  CHECK(exact.all().value() >= 0.93);  // a small sample of what the card measures on 1,000 sentences
  const auto aligned =
      measureAlignment([&](std::span<const int> source,
                           std::span<const int> tokens) { return translator.attention(source, tokens); },
                       AlignmentRow::Predicting, *directory().tokenizer, pairs);
  CHECK(aligned.share() >= 0.85);
  std::uintmax_t bytes = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(SOURCE_FOLDER) + "/assets/models/translate"))
    bytes += file.file_size();
  CHECK(bytes < 5'000'000);
}
