#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/train/tasks/grammar.h"
#include "core/train/tasks/story.h"

namespace glassformer {

/// One story while it is told: the order of the scenes, what is asked, and which combinations came up. The
/// words and sentences are in story_grammar.cpp.
class StoryDraft {
 public:
  explicit StoryDraft(Choices& choices);
  void tell();  ///< once
  const std::string& text() const { return telling_.text(); }
  const std::vector<std::string>& combinations() const { return combinations_; }
  Story finish() const;

 private:
  struct Gift {
    std::string giver, colour, thing;
    ByteRange sentence;
  };

  void animalStory();
  void gift();
  void giftStory();
  void chainStory();
  void hideStory();
  void reasonStory();
  void songStory();

  void becauseSentence();
  void askWhatWasToo();
  void askAboutGifts();
  void askAboutHiding();

  void heroSings();
  void heroSingsAgain();
  void song();
  void secret(std::string_view opening);
  void magic();

  bool happens(double probability) { return telling_.choices().happens(probability); }
  ByteRange tell(std::string_view pattern);
  void sayNew(std::string_view pattern, const std::string& rule, int most);
  void sayAgain(std::string_view pattern);
  void combine(std::string_view kind, std::string_view a, std::string_view b, std::string_view c);
  void answer(QuestionKind kind, const std::string& right, ByteRange rightSentence, const std::string& wrong,
              ByteRange wrongSentence);

  Telling telling_;
  std::string list_;  ///< the song or the secret words said last
  ByteRange because_;
  std::vector<Gift> gifts_;
  std::vector<std::string> combinations_;
  std::vector<StoryQuestion> questions_;
  std::vector<ByteRange> repeats_;
};

}  // namespace glassformer
