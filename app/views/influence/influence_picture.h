#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/document/metric_settings.h"
#include "app/document/workspace.h"
#include "app/drawing/view_header.h"

namespace glassformer {

/// A picture of the influence view while it is being drawn, and what all its pictures need to know.
struct InfluencePicture {
  explicit InfluencePicture(const SceneInput& sceneInput);
  /// What is said where there is nothing to draw.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  const ModelConfig& config;
  const InfluenceSettings& settings;
  int position;  ///< t, where the prediction is made
  std::vector<Stream>
      streams;  ///< whose tokens have influence: the text's, of an encoder-decoder the source's
  Scene scene;

  /// "lens.influence", "lens.source_influence_by_input_matrix": as it is set, and of which stream.
  std::string tensor(Stream stream, const char* suffix = "") const;
  bool isThere(const std::string& tensor) const { return scene.sources.contains(tensor); }
  int count(Stream stream) const { return input.countOf(stream); }
  /// Of both streams, in small type.
  float widestLabel() const;
  std::string quoted(int token, Stream stream = Stream::Text) const {
    return "“" + input.label(token, stream) + "”";
  }
  /// "“tired” after “too” (token 11)"; of a model that fills gaps "“cat” at “□” (token 4)".
  std::string prediction(const std::string& entry, int at) const {
    return "“" + entry + (input.snapshot.model->continues() ? "” after " : "” at ") + quoted(at) +
           " (token " + std::to_string(at) + ")";
  }
  /// "“tired” after “too” (token 5)", or with a contrast token "“tired” − “wide” after “too” (token 5)".
  std::string contrastWords(int entry, int against) const {
    const std::string of = against < 0 ? "" : "“" + input.entryLabel(entry) + "” − ";
    return of + prediction(input.entryLabel(against < 0 ? entry : against), position);
  }
  /// "Ablation: “tired” after “too” (token 5)"; in the window, where its button is lit, without its name.
  std::string titleOf(const char* picture, const std::string& of) const {
    return input.isStill() || input.isHeadedApart() ? std::string(picture) + ": " + of : of;
  }
  bool isPointed(int token, Stream stream) const { return input.hover.touches(token, stream); }
};

/// Title, explanation and the choice of pictures; takes them off the area. `ownLine`: choices that need one.
void addInfluenceHeader(InfluencePicture& picture, Box& area, const std::string& title,
                        const std::string& about, const std::vector<std::vector<Choice>>& groups = {},
                        const std::vector<Choice>& ownLine = {});
/// The metrics that an experiment can be measured by.
std::vector<Choice> metricChoicesOf(const ViewSettings& settings, const char* usual);
/// The tokens that means are taken over.
std::vector<Choice> positionsChoices(const ViewSettings& settings);
/// Norm or signed.
std::vector<Choice> influenceKinds(const InfluencePicture& picture);
/// One scale for all these numbers.
Coloring influenceScale(const InfluencePicture& picture, const std::vector<TensorRef>& numbers,
                        bool isSigned);
/// How much room the ends of such a scale need, beside a picture.
float scaleLabelWidth(const InfluencePicture& picture, Range range);
/// "“it”, which “tired” after “too” depends on", or that nothing of it gets there.
std::string influenceWords(const std::string& token, const std::string& prediction, float value);
/// Whether a text has too many tokens for a matrix, and shows one prediction instead.
bool isTooLong(const InfluencePicture& picture);
/// The logits that can be asked about, with the one that is and the one that is subtracted (−1: none); a
/// click with Ctrl subtracts another one. Takes them off the column.
void addAttributedLogits(InfluencePicture& picture, Box& column, int entry, int against);
/// Said instead of a picture whose numbers are on their way; of every prediction, they may not be measured.
void addInfluenceWaiting(InfluencePicture& picture, const Box& area);
void addMatrixWaiting(InfluencePicture& picture, const Box& area);

}  // namespace glassformer
