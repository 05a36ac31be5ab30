#include "app/views/tokens/tokens_scene.h"

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/drawing/parts.h"
#include "app/drawing/view_header.h"
#include "app/views/tokens/embedding_row.h"
#include "app/views/tokens/merge_steps.h"
#include "app/views/tokens/token_difference.h"
#include "app/views/tokens/token_table.h"

namespace glassformer {

namespace {

std::string aboutText(const Snapshot& snapshot, Stream stream) {
  const auto count = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return count(snapshot.pass->tokensOf(stream).size(), "token") + " from " +
         count(snapshot.pass->textOf(stream).size(), "byte") + "; the vocabulary has " +
         std::to_string(snapshot.model->config->vocabulary);
}

std::vector<Choice> streamChoices(bool source) {
  return {{"Target", "Tokens of the target", !source, commands::selectSite(AttentionSite::Decoder)},
          {"Source", "Tokens of the source", source, commands::selectSite(AttentionSite::Encoder)}};
}

}  // namespace

Scene tokensScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config ||
      input.snapshot.pass->tokens.empty() ||
      (input.config().isEncoderDecoder() && input.snapshot.pass->sourceTokens.empty()))
    return emptyScene(input, "No tokens yet", input.snapshot.standing.errorOr("Type in the Text box."));
  if (input.snapshot.isDifference()) return tokenDifferenceScene(input);
  Scene scene;
  scene.size = {std::max(input.size.x, 420.0f), std::max(input.size.y, 360.0f)};
  scene.sources = input.sources();
  const bool narrow = scene.size.x < 900;
  Box area = contentOf(input, scene.size);
  const Stream stream = listedStream(input.workspace, input.config());
  std::vector<std::vector<Choice>> choices;
  if (input.config().isEncoderDecoder()) choices.push_back(streamChoices(stream == Stream::Source));
  addViewHeader(scene, input, area, {"Tokens", aboutText(input.snapshot, stream), choices});
  Box table = area.takeLeft(std::clamp(area.width * 0.5f, std::min(388.0f, area.width * 0.62f), 640.0f));
  area.takeLeft(narrow ? 24.0f : 56.0f);
  addTokenTable(scene, input, stream, table);
  area.height -= embeddingRowHeight + 24;
  const Box below = addMergeSteps(scene, input, stream, area);
  addEmbeddingRow(scene, input, stream, {below.x, below.y + 24, below.width, embeddingRowHeight});
  return scene;
}

}  // namespace glassformer
