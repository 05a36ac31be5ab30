#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/document/tab_text.h"
#include "app/engine/need.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// Which texts something is measured over: as many of the open model's own task as are asked for, the prompts
/// of its questions, repeated random tokens, or the lines of all tabs; see textsSearched().
struct Corpus {
  int count = 0;  ///< 0: the lines
  bool questions = false, repeats = false;
  std::string positions;  ///< that count
  std::vector<TabText> lines;
  bool operator==(const Corpus&) const = default;
};
/// Those that a workspace asks for.
Corpus corpusAsked(const Workspace& workspace, const ModelConfig& config);

/// The texts of a corpus, as the open model reads them.
class SearchedTexts {
 public:
  SearchedTexts(Corpus corpus, const OpenModel& model);

  bool areOf(const Corpus& corpus, const OpenModel& model) const;
  int count() const { return static_cast<int>(texts_.size()); }
  const TokenText& operator[](int i) const { return texts_[static_cast<std::size_t>(i)]; }
  /// Why there are none; empty where there are, or where no line is written.
  const std::string& missing() const { return missing_; }
  /// The other text of a pair: lines are read two by two. −1: there is none.
  int partnerOf(int i) const;
  /// Whether a model of this config can read a text: not what lacks its source, or is too long.
  bool isWhole(int i, const ModelConfig& config) const;
  /// The tokens that occur in any of them, or in any source, each once, in order.
  const std::vector<int>& tokensThatOccur(Stream stream) const {
    return stream == Stream::Source ? occurringInSources_ : occurring_;
  }
  /// What some of them say, a row for each: token ids, and NaN behind the last one.
  Tensor tokens(std::span<const int> some) const;
  Tensor sources(std::span<const int> some) const;

 private:
  Corpus corpus_;
  std::weak_ptr<const ShownModel> reader_;
  std::string missing_;
  std::vector<TokenText> texts_;
  std::vector<int> occurring_, occurringInSources_;
};

/// Those of a corpus, which the open model keeps until others are read. Null: writing them was stopped.
std::shared_ptr<const SearchedTexts> textsRead(const Corpus& corpus, OpenModel& model, const StartJob& begin);

}  // namespace glassformer
