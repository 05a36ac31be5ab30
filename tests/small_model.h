#pragma once
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/engine.h"
#include "core/model/choices.h"
#include "core/model/initialization.h"
#include "core/random.h"
#include "core/text/byte_pair_training.h"
#include "core/train/training_task.h"

namespace glassformer {

/// Random tokens, always the same ones: something that a small model's loss can be measured on.
class SmallTask final : public TrainingTask {
 public:
  SmallTask(const ModelConfig& config, const BytePairEncoding& tokenizer)
      : TrainingTask(recipeOf(config), tokenizer) {}

  Batch batch(int step, int sequences) const override { return heldOut(-step, sequences); }
  Batch heldOut(int number, int sequences) const override {
    const TrainingOptions& options = recipe().options;
    Random random(static_cast<std::uint64_t>(number));
    const auto draw = [&](int positions) {
      std::vector<int> ids;
      for (int i = 0; i < sequences * positions; ++i)
        ids.push_back(random.below(tokenizer().vocabularySize()));
      return ids;
    };
    Batch batch{draw(options.positions), draw(options.positions), draw(options.sourcePositions), {}};
    if (options.sourcePositions > 0)
      for (int i = 0; i < sequences; ++i) batch.sourceLengths.push_back(options.sourcePositions - i);
    return batch;
  }
  std::vector<Example> examples(int /*count*/) const override { return {}; }
  std::string purpose() const override { return ""; }
  std::string measured(std::shared_ptr<const Transformer>, int, const ProgressCallback&) const override {
    return "";
  }

 private:
  static Recipe recipeOf(const ModelConfig& config) {
    Recipe recipe{.task = "random", .steps = 10, .config = config};
    recipe.options = {.sequences = 4, .positions = 8, .sourcePositions = config.isEncoderDecoder() ? 6 : 0};
    return recipe;
  }
};

/// A model on a vocabulary learned from a few sentences, with random weights that are always the same.
using ConfigChange = std::function<void(ModelConfig&)>;
inline LoadedModel makeSmallModel(
    const std::string& name, int layers = 2, int heads = 4, int context = 64,
    const ConfigChange& change = [](ModelConfig&) {}) {
  const std::string corpus =
      "The animal didn't cross the street because it was too tired. The animal didn't cross the street "
      "because it was too wide. The cat sat on the mat because the mat was warm. The street was wide and the "
      "animal was tired.";
  ModelConfig config;
  config.layers = layers, config.heads = heads, config.width = 8 * heads, config.feedForward = 64;
  config.context = context;
  change(config);
  std::vector<std::string_view> special{Tokenizer::endOfTextName};
  if (config.stack == Stack::EncoderOnly) special.push_back(Tokenizer::maskName);
  auto tokenizer = std::make_shared<BytePairEncoding>(trainBytePairEncoding(corpus, 320, special));
  config.vocabulary = tokenizer->vocabularySize();
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, InitialScale{}, 7);
  auto task = std::make_shared<const SmallTask>(config, *tokenizer);
  return {name, std::make_shared<const Transformer>(config, std::move(parameters)), std::move(tokenizer),
          std::move(task)};
}

/// Members of the family that are built differently, with a text, and a source where they read one.
struct FamilyMember {
  std::string name;
  ConfigChange change;
  std::string text = "The animal didn't cross the street.", source = {};

  LoadedModel model(const std::string& as = "small") const { return makeSmallModel(as, 2, 4, 64, change); }
};

/// `settings`: "norm_placement post", as setField takes them.
inline ConfigChange choosing(Stack stack, std::vector<std::pair<std::string, std::string>> settings) {
  return [=](ModelConfig& config) {
    config.stack = stack;
    if (stack == Stack::EncoderOnly) config.mask = {MaskKind::None, 0, {}};
    for (const auto& [id, value] : settings)
      if (const Status set = setField(config, id, value); !set)
        throw std::runtime_error(set.error().message());
  };
}

inline std::vector<FamilyMember> familyMembers() {
  const std::string source = "The cat sat on the mat because it was warm.", target = "The street was";
  return {
      {"encoder-decoder", choosing(Stack::EncoderDecoder, {}), target, source},
      {"encoder-decoder of 2017",
       choosing(Stack::EncoderDecoder, {{"norm_placement", "post"}, {"activation_function", "relu"}}), "",
       source},
      {"encoder-only", choosing(Stack::EncoderOnly, {}), "The cat sat on the <|mask|> because it was warm."},
      {"post-norm, RMS", choosing(Stack::DecoderOnly, {{"norm_placement", "post"}, {"norm", "rms"}})},
      {"rotary, SwiGLU", choosing(Stack::DecoderOnly, {{"position_embedding_type", "rotary"},
                                                       {"activation_function", "swiglu"}})},
      {"no norms, no MLP",
       choosing(Stack::DecoderOnly, {{"norm_placement", "none"}, {"activation_function", "none"}})},
      {"recurrence", choosing(Stack::DecoderOnly, {{"mixing", "recurrence"}})},
      {"convolution", choosing(Stack::DecoderOnly, {{"mixing", "convolution"}, {"kernel_width", "4"}})},
      {"ResNet", choosing(Stack::DecoderOnly, {{"block", "resnet"}})},
      {"ConvNeXt", choosing(Stack::EncoderOnly, {{"block", "convnext"}, {"kernel_width", "5"}}),
       "The cat sat on the <|mask|> because it was warm."},
      {"replacing, RNN",
       choosing(Stack::DecoderOnly,
                {{"mixing", "recurrence"}, {"residual", "no"}, {"position_embedding_type", "none"}})},
      {"masked language model",
       choosing(Stack::EncoderOnly, {{"norm_placement", "post"},
                                     {"final_norm", "no"},
                                     {"embedding_norm", "yes"},
                                     {"type_vocab_size", "2"},
                                     {"sep_token_id", "3"},
                                     {"head_transform", "yes"},
                                     {"unembedding_bias", "yes"}}),
       "The cat sat on the <|mask|> because it was warm."},
      {"token types, biased unembedding",
       choosing(Stack::DecoderOnly,
                {{"type_vocab_size", "2"}, {"sep_token_id", "3"}, {"unembedding_bias", "yes"}})},
  };
}

}  // namespace glassformer
