#pragma once
#include "app/drawing/parts.h"

namespace glassformer {

/// The tokens whose logit can be asked about: the one that is, and the model's likeliest at a position with
/// their logits there. A click chooses one; the likeliest stands for whatever the model answers.
struct EntryList {
  int position = 0;
  int chosen = -1;                           ///< the vocabulary entry that is asked about
  std::function<Command(int entry)> choose;  ///< -1: the model's answer
  int against = -1;                          ///< the entry whose logit is subtracted; -1: none
  /// What a click with Ctrl does, which chooses that entry, or -1 for none; empty: as any other click.
  std::function<Command(int entry)> subtract = nullptr;
  const char* title = "Logit of …";
};
/// The entries with the largest logits at a position, of equals the lower one first; of a difference those of
/// the first text.
std::vector<int> likeliestEntries(const SceneInput& input, int position, std::size_t count);

/// Takes what it needs off the top of the area.
void addEntryList(Scene& scene, const SceneInput& input, Box& area, const EntryList& list);

}  // namespace glassformer
