#include "core/train/tasks/story_likelihood.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "core/text/tokenizer.h"
#include "core/train/tasks/grammar.h"
#include "core/train/tasks/story_draft.h"

namespace glassformer {
namespace {

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// The texts that are looked for: one text, or all that have a word in its gap.
struct Pattern {
  std::string_view before, after;
  bool gap = false;

  /// Whether `text` is the beginning of one of them.
  bool canBegin(std::string_view text) const {
    if (text.size() <= before.size()) return before.starts_with(text);
    if (!text.starts_with(before)) return false;
    text.remove_prefix(before.size());
    if (gap) text.remove_prefix(wordLength(text));
    return after.starts_with(text);
  }

  /// The word in the gap, where `text` is one of them.
  std::optional<std::string> wordOf(std::string_view text) const {
    if (!text.starts_with(before)) return std::nullopt;
    text.remove_prefix(before.size());
    const std::size_t length = gap ? wordLength(text) : 0;
    if ((gap && length == 0) || text.substr(length) != after) return std::nullopt;
    return std::string(text.substr(0, length));
  }

  static std::size_t wordLength(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, isLetter) - text.begin());
  }
};

/// Thrown where the choices laid down are used up: the alternatives that are worth following.
struct Crossroads {
  std::vector<int> ways;
};

/// Choices laid down beforehand, and at their end a look at what can follow; what alone can follow is laid
/// down too.
class LaidDownChoices : public Choices {
 public:
  LaidDownChoices(std::vector<int> laidDown, const Pattern& pattern)
      : laidDown_(std::move(laidDown)), pattern_(pattern) {}

  const std::vector<int>& laidDown() const { return laidDown_; }

 private:
  int drawUniform(int count) override {
    if (next_ < laidDown_.size()) return laidDown_[next_++];
    Crossroads crossroads;
    for (int i = 0; i < count; ++i) crossroads.ways.push_back(i);
    throw crossroads;
  }
  bool drawChance(double) override { return drawUniform(2) == 1; }
  int drawText(int count, const std::string& text, const Beginning& beginning) override {
    if (next_ < laidDown_.size()) return laidDown_[next_++];
    Crossroads crossroads;
    for (int i = 0; i < count; ++i)
      if (pattern_.canBegin(text + beginning(i))) crossroads.ways.push_back(i);
    if (crossroads.ways.size() != 1) throw crossroads;
    laidDown_.push_back(crossroads.ways.front());
    return laidDown_[next_++];
  }

  std::vector<int> laidDown_;
  const Pattern& pattern_;
  std::size_t next_ = 0;
};

/// Probabilities of the stories that fit a pattern, by the word in the gap. Every way through the choices is
/// told again from the beginning, which costs little: a story is told in microseconds, and what is written
/// leaves few ways open.
class Search {
 public:
  explicit Search(const Pattern& pattern) : pattern_(pattern) {}

  std::map<std::string, double> run() {
    while (!open_.empty()) {
      std::vector<int> laidDown = std::move(open_.back());
      open_.pop_back();
      follow(std::move(laidDown));
    }
    return std::move(found_);
  }

 private:
  void follow(std::vector<int> laidDown) {
    LaidDownChoices choices(std::move(laidDown), pattern_);
    StoryDraft draft(choices);
    try {
      draft.tell();
      if (const auto word = pattern_.wordOf(draft.text()))
        found_[*word] += std::exp(choices.logProbability());
    } catch (const Crossroads& crossroads) {
      if (!pattern_.canBegin(draft.text())) return;
      for (const int way : crossroads.ways) {
        open_.push_back(choices.laidDown());
        open_.back().push_back(way);
      }
    }
  }

  const Pattern& pattern_;
  std::vector<std::vector<int>> open_{{}};
  std::map<std::string, double> found_;
};

std::string_view withoutEnd(std::string_view text) {
  if (text.ends_with(Tokenizer::endOfTextName)) text.remove_suffix(Tokenizer::endOfTextName.size());
  return text;
}

}  // namespace

std::optional<double> storyLogProbability(std::string_view text) {
  const Pattern pattern{withoutEnd(text), "", false};
  const auto found = Search(pattern).run();
  if (found.empty()) return std::nullopt;
  return std::log(found.begin()->second);
}

std::vector<GapWord> gapWords(std::string_view before, std::string_view after) {
  const Pattern pattern{before, withoutEnd(after), true};
  std::vector<GapWord> words;
  for (const auto& [word, probability] : Search(pattern).run())
    words.push_back({word, std::log(probability)});
  std::ranges::stable_sort(words, std::greater{}, &GapWord::logProbability);
  return words;
}

}  // namespace glassformer
