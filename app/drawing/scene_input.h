#pragma once
#include <algorithm>
#include <span>

#include "app/document/attention_planes.h"
#include "app/document/workspace.h"
#include "app/engine/snapshot.h"
#include "app/scene/scene.h"
#include "app/scene/text_metrics.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Every named tensor of a snapshot, the trace first and the model's weights last.
inline TensorSources sourcesOf(const Snapshot& snapshot) {
  TensorSources sources{snapshot.pass->trace,
                        snapshot.pass->measurements,
                        snapshot.model->measurements,
                        snapshot.decoded->beamMeasurements,
                        snapshot.decoded->continuationMeasurements,
                        snapshot.kept.measured};
  if (snapshot.pass->trace && snapshot.pass->trace->weights())
    sources.add({snapshot.pass->trace, snapshot.pass->trace->weights()});
  if (snapshot.decoded->way) sources.add(snapshot.decoded->way->measurements);
  if (snapshot.decoded->total) sources.add(snapshot.decoded->total);
  if (snapshot.training->side)
    sources.add(snapshot.training->side->curves), sources.add(snapshot.training->optimizer);
  return sources;
}

/// Where a picture stands: with its controls around it, beside another one that shares them, in a
/// presentation that shows them apart, too, or in a figure, which has none.
enum class Room { Window, Compared, Presentation, Figure };

/// All that a picture may depend on.
struct SceneInput {
  const Workspace& workspace;
  const Snapshot& snapshot;
  Point size;
  const Theme& theme;
  const TextMetrics& metrics;
  Target hover;  ///< what the pointer is on, in this view or another one
  Room room = Room::Window;
  std::span<const Choice> pictures = {};  ///< of its view, to choose from; see View::tabs()
  const Snapshot* beside = nullptr;       ///< of the picture beside, whose scales are the same; null: none

  /// As the parts of app/scene take it.
  operator Typography() const { return {theme, metrics}; }

  bool isStill() const { return room == Room::Figure; }
  bool isPresented() const { return room == Room::Presentation; }
  /// Whether its title and its choices are shown apart from it.
  bool isHeadedApart() const { return room == Room::Compared || room == Room::Presentation; }

  /// In the window every part of a picture is there.
  bool shows(BesidePicture part) const { return !isStill() || workspace.figure.has(part); }
  bool headsFirst() const { return isStill() && workspace.figure.headsFirst; }
  /// The size a picture is laid out for: what there is, but as much as its text needs. A larger one than
  /// there is room for scrolls.
  Point pictureSize() const {
    const Point least = leastIn(room);
    return {std::max(size.x, least.x), std::max(size.y, least.y)};
  }
  /// A picture that is headed apart needs no room for its choices.
  static constexpr Point leastIn(Room room) {
    return room == Room::Presentation ? Point{440, 360}
           : room == Room::Compared   ? Point{leastWidth, 360}
                                      : Point{leastWidth, leastHeight};
  }
  static constexpr float leastWidth = 560, leastHeight = 420;

  /// What a picture refers into: the trace, then the measurements.
  TensorSources sources() const {
    TensorSources own = sourcesOf(snapshot);
    if (beside) own.shareRangesWith(sourcesOf(*beside));
    return own;
  }
  /// The model that is there, and its shape.
  const Transformer& model() const { return *snapshot.model->transformer; }
  const ModelConfig& config() const { return *snapshot.model->config; }
  std::string entryLabel(int id) const { return snapshot.model->entryLabel(id); }
  int tokenCount() const { return snapshot.pass->trace ? snapshot.pass->trace->tokenCount() : 0; }
  int countOf(Stream stream) const { return snapshot.pass->countOf(stream); }
  /// "The" for position 0; empty beyond the end.
  const std::string& label(int position, Stream stream = Stream::Text) const {
    static const std::string none;
    const std::vector<TokenPiece>& tokens = snapshot.pass->tokensOf(stream);
    const auto i = static_cast<std::size_t>(position);
    return position >= 0 && i < tokens.size() ? tokens[i].label : none;
  }
  std::vector<std::string> labels(Stream stream) const {
    std::vector<std::string> all;
    for (int i = 0; i < countOf(stream); ++i) all.push_back(label(i, stream));
    return all;
  }
  /// How wide the widest of them is, in the type of tokens.
  float widestLabel(Stream stream, float type) const {
    float widest = 0;
    for (int i = 0; i < countOf(stream); ++i)
      widest = std::max(widest, metrics.width(label(i, stream), FontFace::Mono, type));
    return widest;
  }
  /// The selected query position inside this text, or its source.
  int query(Stream stream = Stream::Text) const {
    return snapshot.positionOr(workspace.selection.queryIn(stream), stream);
  }
  int layer() const {
    if (!snapshot.model->config) return 0;
    const int blocks = blocksAt(config(), shownSite(workspace, config()));
    return std::clamp(workspace.selection.layer, 0, blocks - 1);
  }
  int head() const {
    return snapshot.model->config ? std::clamp(workspace.selection.head, 0, config().heads - 1) : 0;
  }
};

}  // namespace glassformer
