#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

class Tokenizer;
struct ViewSettings;
struct WordMerges;

/// How many of the merges that a tokenizer learned are done, first things first: as many as were chosen, else
/// all; none where it merges nothing. Pictures of tokens cut the text so.
struct ChosenMerges {
  ChosenMerges(const Tokenizer* learned, const ViewSettings& settings);
  const Tokenizer* tokenizer;  ///< null before a model is open
  int all = 0, chosen = 0;
  bool areFewer() const { return chosen < all; }
  /// The word as so many merges leave it.
  WordMerges of(WordMerges word) const;
};

/// A slider from none to all: dragged, by the wheel, by the arrow keys; a double click brings all back.
void addMergeSlider(Scene& scene, const SceneInput& input, const ChosenMerges& merges, Box box);

}  // namespace glassformer
