#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/document/decode_history.h"
#include "app/drawing/scene_input.h"
#include "core/decode/sampling_chain.h"

namespace glassformer {

/// The stages of sampling as they are measured behind one token of the text: what the picture of them reads.
class ShownChain {
 public:
  explicit ShownChain(const SceneInput& input);

  static TensorRef cell(const char* tensor, int i, int j = 0) { return {tensor, {i, j}}; }
  int count() const { return probability_.extent[0]; }
  int last() const { return count() - 1; }
  ChainLink link(int i) const { return chainLink(order_, i); }
  bool isOn(int i) const;
  /// The model, the constraint and the stages that are on; or those that are off.
  std::vector<int> stages(bool on) const;

  int vocabulary() const { return probability_.extent[1]; }
  float p(int stage, int token) const { return probability_(stage, token); }
  float before(int stage, int token) const { return before_(stage, token); }
  bool isLeft(int stage, int token) const;
  int seen(int token) const { return static_cast<int>(seen_(token)); }
  /// The most probable tokens after a stage, at most `count`.
  std::vector<int> likeliest(int stage, int count) const;

  /// The settings that it goes by: those of now, or, where the text has gone on, those of then.
  const Decoding& decoding() const { return decoding_; }
  /// The position of the token that the draw follows, and the text up to there.
  int place() const { return place_; }
  const std::string& text() const { return text_; }
  float u() const { return draw_; }
  int number() const { return number_; }  ///< of the seed's random numbers, from 1
  int drawn() const { return drawn_; }    ///< −1: nothing fits
  int chosen() const { return chosen_; }  ///< the text goes on with it; −1: it ends here
  bool isPast() const { return chosen_ >= 0; }
  /// The token that the text has there, or that will be drawn; −1: none.
  int taken() const { return isPast() ? chosen_ : isDrawn() ? drawn_ : -1; }
  /// Whether it was decoded with settings that cannot change any more.
  bool isFixed() const { return isPast() && by_.has_value(); }
  /// Who chose, or would choose, the token; nothing for one that was written.
  std::optional<ChosenBy> by() const { return by_; }
  bool isDrawn() const { return by_ == ChosenBy::Sampling; }
  bool isBanned(int token) const;

  /// The stage that took a token out; −1: it is still there.
  int outAt(int token) const;
  /// Why that stage did: "rank 4 > k = 3".
  std::string whyOut(int token) const;

 private:
  int number(const char* tensor) const;

  TensorSources sources_;
  TensorView probability_, before_, order_, seen_;
  Decoding decoding_;
  std::string text_;
  float draw_ = 0;
  int place_ = 0, number_ = 1, drawn_ = -1, chosen_ = -1;
  std::optional<ChosenBy> by_;
};

}  // namespace glassformer
