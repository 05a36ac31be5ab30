#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/lesson_check.h"
#include "app/lesson/measure.h"

namespace glassformer {

/// A text on screen: in which region, and the number that it spells, where it does.
struct ShownText {
  std::string where, text;
  TensorRef value;
};

/// What a question could be answered by without a thought: texts that can be seen while it waits, at its own
/// step or at the one before.
class Clues {
 public:
  /// `cutsText`: the tokens of the text stand apart.
  Clues(const LessonStep& step, const Snapshot& snapshot, std::vector<ShownText> texts, bool cutsText);

  /// The texts that give this answer away, in words; empty: none does. They are
  /// - numbers that are the answer, spelled from where it is measured;
  /// - of a choice or a place, any number that it is measured from; where what comes next is asked, any of
  ///   that; of a choice that is marked by hand, those that its claims are measured from;
  /// - counts of what the question counts, "2 tokens".
  std::string givenAway(const Answer& answer) const;

 private:
  struct Source {  // of an answer
    std::vector<NamedCells> cells;
    bool asksNext = false, asksLength = false;
  };
  static Source sourceIn(const std::string& measure, const Snapshot& snapshot);
  template <typename Tells>
  std::string readOff(const Source& source, Tells tells) const;
  bool isOfNext(const TensorRef& value) const;
  bool counts(const std::string& text, float count) const;

  const LessonStep& step_;
  std::vector<ShownText> texts_;
  std::vector<float> values_;  // of the texts
  std::vector<Source> sources_;
  std::optional<Answer> answer_;  // as it is measured there
  bool cutsText_;
  int last_ = 0;  // token
};

}  // namespace glassformer
