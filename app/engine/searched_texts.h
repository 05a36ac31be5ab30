#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/document/tab_text.h"
#include "app/engine/need.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// The texts in which something is searched: as many of the open model's own task as are asked for, the
/// prompts of its questions, or the lines of all tabs; see textsSearched().
class SearchedTexts {
 public:
  /// Takes up those that are asked for. True where they are others than before.
  bool takeUp(const MeasuredModel& of, const StartJob& begin);
  void forget() { isRead_ = false; }
  /// Whether they are those that are asked for.
  bool areAsked(const MeasuredModel& of) const;

  int count() const { return static_cast<int>(texts_.size()); }
  const TokenText& operator[](int i) const { return texts_[static_cast<std::size_t>(i)]; }
  /// Why there are none; empty where there are, or where no line is written.
  const std::string& missing() const { return missing_; }
  /// The other text of a pair: lines are read two by two. −1: there is none.
  int partnerOf(int i) const;
  /// Whether a model of this config can read a text: not what lacks its source.
  bool isWhole(int i, const ModelConfig& config) const;
  /// The tokens that occur in any of them, or in any source, each once, in order.
  const std::vector<int>& tokensThatOccur(Stream stream) const {
    return stream == Stream::Source ? occurringInSources_ : occurring_;
  }
  /// What some of them say, a row for each: token ids, and NaN behind the last one.
  Tensor tokens(std::span<const int> some) const;
  Tensor sources(std::span<const int> some) const;

 private:
  struct Corpus {
    int count = 0;  // of the task's texts, or questions; 0: the lines
    bool questions = false, repeats = false;
    std::string positions;  // that count
    std::vector<TabText> lines;
    bool operator==(const Corpus&) const = default;
  };
  static Corpus corpusAsked(const MeasuredModel& of);
  bool read(const MeasuredModel& of, const StartJob& begin);
  static Result<std::vector<TokenText>> textsOf(const Corpus& corpus, const OpenModel& model);

  Corpus corpus_;
  bool isRead_ = false;  // whether there are texts of the corpus, or a reason why not
  std::string missing_;  // that reason
  std::vector<TokenText> texts_;
  std::vector<int> occurring_, occurringInSources_;
};

}  // namespace glassformer
