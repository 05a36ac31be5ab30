#pragma once
#include "app/document/taken_apart.h"
#include "app/drawing/scene_input.h"
#include "app/drawing/view_header.h"
#include "core/lens/head_id.h"
#include "core/lens/largest_parts.h"

namespace glassformer {

/// Why the selected token looks where it does, and what that is worth: one score of the selected head, or
/// what it writes towards a logit, as a table of who wrote it.
Scene whyScene(const SceneInput& input);

/// What both tables need to know.
struct WhyPicture {
  explicit WhyPicture(const SceneInput& sceneInput);

  const SceneInput& input;
  HeadId head;
  Stream asking, lookedAt;  ///< whose tokens are queries, and whose are keys
  int query;
  PartOrder order;  ///< as it is chosen
  TensorSources sources;

  /// With the choices that both have: of what is taken apart and in which order, and of the logit.
  ViewHeader header(const std::string& title, const std::string& about,
                    std::vector<Choice> logits = {}) const;
  /// Said instead of a table.
  Scene sentence(const std::string& title, const std::string& reason) const;
  /// A way to the head that wrote into a stream; nothing where it was none.
  std::function<Command(const Target&)> toWriter(int writer, Stream stream) const;
  /// What those who wrote into a stream are called, by their number in the table.
  std::function<std::string(int)> writerNames(Stream stream) const;
  /// "; 20 of 49 are shown", where the largest are, and there are more.
  std::string leftOut(std::size_t shown, int there, const char* what) const;
  /// All of 0 … count − 1, or those with the largest sums first, as it is chosen.
  std::vector<int> ordered(const char* sums, int count, int most = mostListed) const;
  /// "29 others", of so many shown; nothing where the list has all.
  std::string others(std::size_t shown, int there) const;
};

}  // namespace glassformer
