#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/document/attention_planes.h"
#include "app/drawing/parts.h"

namespace glassformer {

/// What is pointed at, else what was clicked last; none where that is not in this text.
struct TokenPair {
  int query = Target::none, key = Target::none;
};

/// A picture of the attention view while it is being drawn, and what all its pictures need to know.
struct AttentionPicture {
  explicit AttentionPicture(const SceneInput& sceneInput);
  /// What is said where there is nothing to draw.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  const ModelConfig& config;
  const AttentionSettings& settings;
  HeadId selected;
  AttentionMask mask;       ///< of the selected head's block
  AttentionSite site;       ///< of all that is shown
  Stream asking, lookedAt;  ///< whose tokens are queries, and whose are keys
  int queries, keys;        ///< how many
  TokenPair pair;
  float labelSize;  ///< of tokens; larger where a large stage shows few of them
  Scene scene;

  const std::string& queryLabel(int i) const { return input.label(i, asking); }
  const std::string& keyLabel(int i) const { return input.label(i, lookedAt); }
  std::string quotedQuery(int i) const { return "“" + queryLabel(i) + "”"; }
  std::string quotedKey(int i) const { return "“" + keyLabel(i) + "”"; }
  /// The chosen query; without a choice the last one, or the first masked one.
  int query() const { return input.query(asking); }
  bool isAcross() const { return site == AttentionSite::Cross; }
  /// Whether the mask lets this query see this key.
  bool allows(int query, int key) const { return lookedAt == Stream::Source || mask.allows(query, key); }
  bool isMasked() const { return lookedAt == Stream::Text && !mask.seesAll(); }
  /// Whether the mask hides every later key.
  bool isCausal() const { return lookedAt == Stream::Text && !mask.looksAhead(); }
  /// The token under the pointer as a query, where a view knows only one kind.
  int hoveredToken(Stream stream) const {
    return input.hover.tokens == stream ? input.hover.token : Target::none;
  }
  /// What a target of this attention has in common.
  Target target() const {
    Target common;
    common.queries = asking, common.keys = lookedAt;
    return common;
  }
};

/// Which attention of a model that reads a source; of others there is no choice.
std::vector<Choice> siteChoices(const SceneInput& input);

/// The numbers of a plane, in their own order of rows.
TensorRef refOf(const AttentionPlane& plane);
/// The same numbers in the order of the text.
AttentionPlane inTextOrder(AttentionPlane plane);
/// Whether they are measured already; just after a choice they may not be.
bool isThere(const AttentionPicture& picture, const AttentionPlane& plane);
Coloring scaleOf(const AttentionPicture& picture, const AttentionPlane& plane);
/// Of shares, whose rows sum to 1: from 0 to 1; or logarithmic, from an eighth of what every key would get if
/// all got the same.
Range rangeOfShares(const AttentionPicture& picture);
/// Below the legend of a scale that is not linear, that it is not.
void addScaleWords(AttentionPicture& picture, Point at, const Range& range, Align align = Align::Start);
/// In the window, what is not kept of a pass is missing until it is measured: see
/// TensorSources::makeNothing().
void waitForNothing(AttentionPicture& picture);

/// "Block 2, head 0", "Average of 3 heads".
std::string titleOf(const AttentionPicture& picture, const AttentionPlane& plane);
/// "“it” looks at “animal”", as it is said of this quantity.
std::string relationOf(const AttentionPlane& plane, const std::string& query, const std::string& key);

/// The upper right of every picture: the choice of pictures, and below it the picture's own choices; beside
/// them the title with the equation. Of a model with several attentions, which one is shown. Takes it off the
/// area.
void addHeader(AttentionPicture& picture, Box& area, const AttentionPlane& plane, const std::string& title,
               std::vector<std::vector<Choice>> choices);
/// The same with another equation.
void addHeader(AttentionPicture& picture, Box& area, const std::string& equation, const std::string& title,
               std::vector<std::vector<Choice>> choices);
/// Pattern and Moved, which every picture has.
std::vector<Choice> stageChoices(AttentionStage shown);
Choice stageChoice(const char* label, const char* tip, AttentionStage stage, AttentionStage shown);
Choice settingChoice(const char* label, const char* tip, bool on,
                     std::function<void(AttentionSettings&)> change);

/// As deep as the longest token needs, in steps, so that typing does not move the picture all the time.
float labelDepth(const AttentionPicture& picture, const Box& area);
/// Of the column with the thumbnails and what stands below them; 0 in a figure that has neither.
float columnWidth(const AttentionPicture& picture);
/// That column off the right of the area; off its left in a figure that has it first.
Box takeColumn(const AttentionPicture& picture, Box& area);

/// "tokens 12 to 40 of 128", where a part of the text is shown.
std::string windowText(const AttentionPicture& picture, const PlaneWindow& window);

}  // namespace glassformer
