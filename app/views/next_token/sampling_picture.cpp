#include "app/views/next_token/sampling_picture.h"

#include "app/document/decoding_commands.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"
#include "app/views/next_token/sampling_draw.h"
#include "app/views/next_token/sampling_table.h"

namespace glassformer {

namespace {

std::string aboutSampling(const ShownChain& chain) {
  const float most = barsOfSampling(chain).high;
  const std::string scale = "bars to " + (most == 1 ? "100 %" : formattedPercent(most) + ", the largest") +
                            "; gray before, colored after a filter";
  if (chain.isPast()) return scale + (chain.by() ? "; settings and draw as they were" : "");
  return scale + (chain.isDrawn() ? "; click a token to take, ban or explain it"
                                  : "; choose Sampling to continue by it");
}

// Gone back in what was decoded, one can go on with other settings.
std::vector<Choice> againChoice(const ShownChain& chain) {
  if (!chain.isPast() || !chain.by()) return {};
  return {{"Decode again", "cut the text here and continue with the current settings", false,
           commands::decodeAgainFrom(chain.text())}};
}

}  // namespace

Scene samplingScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  if (!input.snapshot.model->continues())
    return emptyScene(input, "No sampling", "a masked language model does not continue texts");
  if (!input.sources().contains(chain::probability))
    return emptyScene(input, "Sampling", waitingWords(input));
  NextTokenPicture picture(input);
  const ShownChain chain(input);
  Box area = contentOf(input, picture.scene.size);
  addNextTokenHeader(picture, area, "Sampling after " + picture.quoted(chain.place()), aboutSampling(chain),
                     {againChoice(chain)});
  area.takeTop(4);
  const Box draw = area.takeBottom(samplingDrawHeight);
  addFoldedStages(picture.scene, input, chain, area);
  addSamplingTable(picture.scene, input, chain, area);
  addSamplingDraw(picture.scene, input, chain, draw);
  return std::move(picture.scene);
}

}  // namespace glassformer
