#include "app/views/residual/geometry_vectors.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "app/document/attention_planes.h"
#include "app/document/workspace.h"
#include "core/lens/attention_stages.h"
#include "core/lens/principal_components.h"
#include "core/lens/residual_stream.h"
#include "core/model/point_names.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

bool showsSpace(const ViewSettings& settings) { return settings.chosen(dimensionsChoice) == threeDimensions; }

bool showsHead(const Workspace& workspace, const ModelConfig& config) {
  return config.hasAttention() && workspace.settings.chosen(vectorsChoice) == ofHead;
}

std::string chosenPart(const Workspace& workspace, const ModelConfig& config) {
  const std::string_view chosen = workspace.settings.chosen(placeChoice);
  const Stream stream = shownStream(workspace, config);
  if (showsHead(workspace, config)) return "";
  if (chosen == ofTokens) return stackPoint(config, "hook_embed", stream);
  const bool isThere = config.positions && config.positions->isAdded();
  return chosen == ofPositions && isThere ? stackPoint(config, "hook_pos_embed", stream) : "";
}

bool showsPath(const Workspace& workspace, const ModelConfig& config) {
  return !showsHead(workspace, config) && chosenPart(workspace, config).empty() &&
         !workspace.settings.chosen(pathChoice).empty();
}

int chosenPlace(const ViewSettings& settings, int places) {
  const std::string chosen(settings.chosen(placeChoice));
  return chosen.empty() ? places - 1 : std::clamp(std::atoi(chosen.c_str()), 0, places - 1);
}

namespace {

std::vector<ProjectedVectors> vectorsOfHead(const MeasuredPass& pass) {
  const HeadId head = selectedHead(pass.workspace, pass.config());
  const auto rows = [&](const char* which) {
    return headRows(pass.trace[comparedPoint(pass.trace, head.layer, head.site, which)], head.head,
                    pass.config().heads);
  };
  return {{geometry::queries, "query of the token", rows("q"), queriesOf(head.site)},
          {geometry::keys, "key of the token", rows("k"), keysOf(head.site)}};
}

std::vector<ProjectedVectors> vectorsOfStream(const MeasuredPass& pass) {
  const Stream stream = shownStream(pass.workspace, pass.config());
  if (const std::string part = chosenPart(pass.workspace, pass.config()); !part.empty()) {
    const bool isPosition = pass.workspace.settings.chosen(placeChoice) == ofPositions;
    return {{geometry::tokens, isPosition ? "encoding of the token's position" : "embedding of the token",
             pass.trace[part], stream}};
  }
  const auto places = residualPlaces(pass.model, stream);
  const int place = chosenPlace(pass.workspace.settings, static_cast<int>(places.size()));
  return {{geometry::tokens, "residual stream of the token",
           pass.trace[places[static_cast<std::size_t>(place)].point], stream}};
}

std::optional<std::vector<std::string>> pointsOfVectors(const Workspace& workspace,
                                                        const ModelConfig& config) {
  if (const std::string part = chosenPart(workspace, config); !part.empty()) return std::vector{part};
  if (!showsHead(workspace, config)) return residualPoints(config, shownStream(workspace, config));
  const HeadId head = selectedHead(workspace, config);
  return std::vector{attentionPoint(head.layer, head.site, "hook_q"),
                     attentionPoint(head.layer, head.site, "hook_k")};
}

ProjectedPath pathOf(const MeasuredPass& pass) {
  ProjectedPath path{geometry::path,
                     "residual stream of the token at each layer",
                     {},
                     shownStream(pass.workspace, pass.config())};
  for (const ResidualPlace& place : residualPlaces(pass.model, path.stream))
    path.places.push_back(pass.trace[place.point]);
  return path;
}

void measureVectors(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!begin("finding principal components")(0, 1)) return;
  if (showsPath(pass.workspace, pass.config())) return measureGeometryPaths({pathOf(pass)}, set);
  const bool isHead = showsHead(pass.workspace, pass.config());
  measureGeometry(isHead ? vectorsOfHead(pass) : vectorsOfStream(pass), set);
}

// Vectors or a path of one of two texts, column by column of their alignment.
template <typename Projected>
Projected inColumns(Projected one, const ComparedPasses& passes, bool isOther) {
  for (const Alignment::Column& column : passes.alignments.of(one.stream).columns)
    one.rows.push_back(isOther ? column.b : column.a);
  const char* const tensor = one.tensor.c_str();
  one.tensor = isOther ? geometry::ofOther(tensor) : geometry::ofBoth(tensor);
  if (isOther) one.meaning += " in the other text";
  return one;
}

// Both texts' vectors in one projection.
void measureBothVectors(const ComparedPasses& passes, TensorSet& set) {
  if (showsPath(passes.here.workspace, passes.here.config()))
    return measureGeometryPaths(
        {inColumns(pathOf(passes.here), passes, false), inColumns(pathOf(passes.there), passes, true)}, set,
        geometry::ofBoth);
  const bool isHead = showsHead(passes.here.workspace, passes.here.config());
  std::vector<ProjectedVectors> all;
  for (const MeasuredPass* pass : {&passes.here, &passes.there})
    for (const ProjectedVectors& vectors : isHead ? vectorsOfHead(*pass) : vectorsOfStream(*pass))
      all.push_back(inColumns(vectors, passes, pass == &passes.there));
  measureGeometry(all, set, geometry::ofBoth);
}

}  // namespace

namespace needs {
const Need residualGeometry{.name = "geometry of vectors",
                            .onPass = measureVectors,
                            .onBoth = measureBothVectors,
                            .reads = readChoices<vectorsChoice, placeChoice, pathChoice>,
                            .points = pointsOfVectors};
}  // namespace needs

}  // namespace glassformer
