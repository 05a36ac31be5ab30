#pragma once
#include "app/document/workspace.h"
#include "app/engine/snapshot.h"
#include "app/scene/scene.h"
#include "app/scene/text_metrics.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Every named tensor of a snapshot, the trace first.
inline TensorSources sourcesOf(const Snapshot& snapshot) {
  return {snapshot.trace, snapshot.measurements, snapshot.modelMeasurements, snapshot.beamMeasurements,
          snapshot.continuationMeasurements};
}

/// All that a picture may depend on.
struct SceneInput {
  const Workspace& workspace;
  const Snapshot& snapshot;
  Point size;
  const Theme& theme;
  const TextMetrics& metrics;
  Target hover;        ///< what the pointer is on, in this view or another one
  bool still = false;  ///< for a figure: without controls

  /// What a picture refers into: the trace, then the measurements.
  TensorSources sources() const { return sourcesOf(snapshot); }
  int tokenCount() const { return snapshot.trace ? snapshot.trace->tokenCount() : 0; }
  int countOf(Stream stream) const { return snapshot.countOf(stream); }
  /// "The" for position 0; empty beyond the end.
  const std::string& label(int position, Stream stream = Stream::Text) const {
    static const std::string none;
    const std::vector<TokenPiece>& tokens = snapshot.tokensOf(stream);
    const auto i = static_cast<std::size_t>(position);
    return position >= 0 && i < tokens.size() ? tokens[i].label : none;
  }
  /// The selected query position inside this text, or its source.
  int query(Stream stream = Stream::Text) const {
    return snapshot.positionOr(workspace.selection.queryIn(stream), stream);
  }
  int layer() const {
    return snapshot.config ? std::clamp(workspace.selection.layer, 0, snapshot.config->layers - 1) : 0;
  }
  int head() const {
    return snapshot.config ? std::clamp(workspace.selection.head, 0, snapshot.config->heads - 1) : 0;
  }
};

}  // namespace glassformer
