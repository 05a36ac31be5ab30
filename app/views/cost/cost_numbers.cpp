#include "app/views/cost/cost_numbers.h"

#include <array>

#include "app/document/cost_settings.h"
#include "app/document/view_commands.h"

namespace glassformer {

namespace {

constexpr std::array sizeRungs{1.f,    2.f,    4.f,    8.f,    16.f,   32.f,   48.f,   64.f,
                               96.f,   128.f,  192.f,  256.f,  384.f,  512.f,  768.f,  1024.f,
                               1536.f, 2048.f, 3072.f, 4096.f, 6144.f, 8192.f, 16384.f};

PictureNumber sizeNumber(const char* name, const char* choice, const char* tip, int low, int high, int now) {
  return {.name = name,
          .tip = tip,
          .value = static_cast<float>(now),
          .low = static_cast<float>(low),
          .high = static_cast<float>(high),
          .rungs = sizeRungs,
          .set = [choice](float size, const std::string&, const std::string&) {
            return commands::choose(choice, std::to_string(static_cast<int>(size)));
          }};
}

}  // namespace

PictureNumbers measuredSizes(const SceneInput& input) {
  if (!input.snapshot.model->config) return {};
  return {sizeNumber("T up to", tokensChoice, "Longest text measured, in tokens", fewestTokens,
                     mostMeasuredTokens, chosenTokens(input.workspace.settings))};
}

PictureNumbers countedSizes(const SceneInput& input) {
  if (!input.snapshot.model->config) return {};
  const auto [tokens, source, width] =
      chosenSizes(input.workspace.settings, input.config().context, input.config().width);
  PictureNumbers numbers{
      sizeNumber("T", costTextChoice, "N = T: tokens of the text", 1, mostCountedTokens, tokens),
      sizeNumber("M", costSourceChoice, "Tokens of the source that cross-attention reads", 1,
                 mostCountedTokens, source),
      sizeNumber("D", costWidthChoice, "Width of the residual stream", leastCountedWidth, mostCountedWidth,
                 width)};
  if (!input.config().isEncoderDecoder()) numbers.erase(numbers.begin() + 1);
  return numbers;
}

}  // namespace glassformer
