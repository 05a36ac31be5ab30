#include "core/train/tasks/story_draft.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/tokenizer.h"
#include "core/train/tasks/held_out.h"
#include "core/train/tasks/story_grammar.h"

namespace glassformer {

namespace {

constexpr int shortSong = 8;
constexpr int longSong = 12;

/// Every place in text[range) where `word` stands on its own.
std::vector<ByteRange> mentionsOf(const std::string& word, const std::string& text, ByteRange range) {
  const auto isLetter = [&](std::size_t at) {
    return std::isalpha(static_cast<unsigned char>(text[at])) != 0;
  };
  std::vector<ByteRange> mentions;
  for (std::size_t at = text.find(word, range.begin); at < range.end; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (end > range.end || (at > 0 && isLetter(at - 1)) || (end < text.size() && isLetter(end))) continue;
    mentions.push_back({at, end});
  }
  return mentions;
}

/// The last word or sign of a text, without the space in front of it.
ByteRange lastPiece(const std::string& text) {
  const std::size_t length = splitIntoPieces(text).back().size();
  const std::size_t begin = text.size() - length;
  return {begin + (length > 1 && text[begin] == ' ' ? 1 : 0), text.size()};
}

}  // namespace

StoryDraft::StoryDraft(Choices& choices) : telling_(storyRules(), choices) {}

void StoryDraft::tell() {
  if (happens(0.42)) return animalStory();
  if (happens(0.50)) return songStory();
  if (happens(0.30)) return giftStory();
  if (happens(0.30)) return chainStory();
  if (happens(0.50)) return hideStory();
  reasonStory();
}

Story StoryDraft::finish() const {
  Story story;
  story.text = text() + std::string(Tokenizer::endOfTextName);
  story.logProbability = telling_.choices().logProbability();
  story.questions = questions_;
  story.repeats = repeats_;
  story.heldOut = std::any_of(combinations_.begin(), combinations_.end(), isHeldOut);
  return story;
}

// An animal that does not cross the street, because it was too tired or because it was too wide.
void StoryDraft::animalStory() {
  const bool opened = happens(0.8);
  if (opened) {
    tell("{animal opening}");
    if (happens(0.5)) tell("{goal}");
    if (happens(0.5)) heroSings();
    if (happens(0.4)) tell("{path}");
  }
  becauseSentence();
  if (happens(0.5)) {
    askWhatWasToo();
    if (happens(0.6)) tell("{remedy/$adjective}");
  } else {
    tell("{remedy/$adjective}");
    if (!opened || happens(0.5)) askWhatWasToo();
  }
  if (!list_.empty()) return heroSingsAgain();
  if (happens(0.4)) return song();
  if (happens(0.4)) tell("{ending}");
}

void StoryDraft::becauseSentence() {
  because_ = tell(telling_.has("hero") ? "The {hero}" : "The {hero=animal}");
  tell("{refusal}");
  tell(telling_.has("obstacle") ? "{verb/$obstacle} the {obstacle}"
                                : "{verb=verb} the {obstacle=obstacle/$verb}");
  tell("because it was too");
  const bool animal = happens(0.5);
  because_.end = tell(animal ? "{adjective=feeling}." : "{adjective=adjective/$obstacle}.").end;
  telling_.bind("right", telling_[animal ? "hero" : "obstacle"]);
  telling_.bind("wrong", telling_[animal ? "obstacle" : "hero"]);
  combine("because", telling_["hero"], telling_["obstacle"], telling_["adjective"]);
}

void StoryDraft::askWhatWasToo() {
  const std::string right = telling_["right"], wrong = telling_["wrong"];
  const auto answerHere = [&] { answer(QuestionKind::WhatWasToo, right, because_, wrong, because_); };
  if (happens(0.6)) {
    tell("What was too {adjective}? The");
    answerHere();
    tell("was too {adjective}.");
  } else if (happens(0.5)) {
    tell("\"What was too {adjective}?\" asked the {asker=animal-hero}. \"The");
    answerHere();
    tell("was too {adjective},\" said the {hero}.");
  } else {
    tell("Do you know what was too {adjective}? It was the");
    answerHere();
    tell(".");
  }
}

// Friends bring presents; who brought what, and which colour was it?
void StoryDraft::giftStory() {
  tell("{gift opening}");
  gift();
  gift();
  if (happens(0.3)) gift();
  if (happens(0.4)) tell("{thanks}");
  askAboutGifts();
  if (happens(0.5)) return secret("{secret by name}");
  if (happens(0.4)) tell("{people ending}");
}

void StoryDraft::gift() {
  const std::size_t begin = text().size();
  telling_.tell("{giver=person-p-giver-giver1}");
  telling_.tell(gifts_.empty() ? "{gave=give}" : "{gave}");
  telling_.tell("{her/$p} {a colour=colour-colour-colour1} {thing=thing-thing-thing1}.");
  gifts_.push_back({telling_["giver"], telling_["colour"], telling_["thing"], {begin, text().size()}});
  if (gifts_.size() == 1)
    for (const char* name : {"giver", "colour", "thing"})
      telling_.bind(std::string(name) + "1", telling_[name]);
  combine("gift", telling_["giver"], telling_["thing"], telling_["p"]);
}

void StoryDraft::askAboutGifts() {
  std::vector<QuestionKind> kinds{QuestionKind::WhoGave, QuestionKind::WhatColour, QuestionKind::WhatGift};
  do {
    const auto chosen = kinds.begin() + telling_.choices().pick(static_cast<int>(kinds.size()));
    const QuestionKind kind = *chosen;
    kinds.erase(chosen);
    tell(kind == QuestionKind::WhoGave      ? "Who {gave} {p} the"
         : kind == QuestionKind::WhatColour ? "What colour was the"
                                            : "What did");
    const std::size_t i = static_cast<std::size_t>(telling_.choices().pick(static_cast<int>(gifts_.size())));
    const Gift &asked = gifts_[i], &another = gifts_[(i + 1) % gifts_.size()];
    if (kind == QuestionKind::WhoGave) {
      tell(asked.thing + "? It was");
      answer(kind, asked.giver, asked.sentence, another.giver, another.sentence);
    } else if (kind == QuestionKind::WhatColour) {
      tell(asked.thing + "? It was");
      answer(kind, asked.colour, asked.sentence, another.colour, another.sentence);
    } else {
      tell(asked.giver + " {give/$gave} {p}? It was the");
      answer(kind, asked.thing, asked.sentence, another.thing, another.sentence);
    }
    tell(".");
  } while (kinds.size() == 2 && happens(0.5));
}

// A thing goes from hand to hand; who has it in the end?
void StoryDraft::chainStory() {
  tell("{found}");
  tell("{She/$p} gave it to {q=person-p}.");
  const ByteRange last = tell("{later} {q} gave it to {r=person-p-q}.");
  combine("gift", telling_["p"], telling_["t1"], telling_["q"]);
  combine("gift", telling_["q"], telling_["t1"], telling_["r"]);
  if (happens(0.4)) tell("{r} danced with joy.");
  tell("Who had the {t1} now? It was");
  answer(QuestionKind::WhoHas, telling_["r"], last, telling_["q"], last);
  tell(".");
  if (happens(0.5)) return secret("{secret by name}");
  if (happens(0.4)) tell("{people ending}");
}

// Two animals hide two things.
void StoryDraft::hideStory() {
  tell("{game opening}");
  for (const char* i : {"1", "2"}) {
    const std::string n = i, animal = "x" + n, thing = "t" + n, place = "h" + n;
    const ByteRange sentence =
        tell("The {" + animal + "=animal-x1} hid the {" + thing + "=thing-t1} {" + place + "=hiding-h1}.");
    gifts_.push_back({telling_[animal], telling_[place], telling_[thing], sentence});
    combine("hide", telling_[animal], telling_[thing], telling_[place]);
  }
  if (happens(0.3)) tell("{game end}");
  askAboutHiding();
  if (happens(0.5)) return song();
  if (happens(0.4)) tell("{people ending}");
}

void StoryDraft::askAboutHiding() {
  const bool who = happens(0.5);
  tell(who ? "Who hid the" : "What was");
  const std::size_t i = static_cast<std::size_t>(telling_.choices().pick(2));
  const Gift &asked = gifts_[i], &another = gifts_[1 - i];
  if (who) {
    tell(asked.thing + "? It was the");
    answer(QuestionKind::WhoHid, asked.giver, asked.sentence, another.giver, another.sentence);
    tell(".");
  } else {
    tell(asked.colour + "? The");
    answer(QuestionKind::WhatWasThere, asked.thing, asked.sentence, another.thing, another.sentence);
    tell("was " + asked.colour + ".");
  }
}

// Two people do two things because of the weather or the hour.
void StoryDraft::reasonStory() {
  tell("{people opening}");
  std::vector<ByteRange> sentences;
  sentences.push_back(tell(telling_.has("p") ? "{p} {act1=act} because it was {reason/$act1}."
                                             : "{p=person} {act1=act} because it was {reason/$act1}."));
  sentences.push_back(tell(telling_.has("q")
                               ? "{q} {act2=act-act1} because it was {reason/$act2}."
                               : "{q=person-p} {act2=act-act1} because it was {reason/$act2}."));
  combine("reason", telling_["p"], telling_["act1"], "");
  combine("reason", telling_["q"], telling_["act2"], "");
  tell("Who");
  const bool first = happens(0.5);
  tell(first ? "{act1}? It was" : "{act2}? It was");
  answer(QuestionKind::WhoDid, telling_[first ? "p" : "q"], sentences[first ? 0 : 1],
         telling_[first ? "q" : "p"], sentences[first ? 1 : 0]);
  tell(".");
  if (happens(0.7)) return secret("{secret by name}");
  if (happens(0.4)) tell("{people ending}");
}

void StoryDraft::songStory() {
  if (happens(0.35)) {
    tell("{secret opening}");
    return secret("{secret}");
  }
  if (happens(0.45)) {
    tell("{magic opening}");
    return magic();
  }
  if (happens(0.5)) {
    tell("{animal opening}");
    tell("{goal}");
  }
  song();
  if (happens(0.5)) tell("{people ending}");
}

void StoryDraft::heroSings() { sayNew("{hero sings}", "syllable", shortSong); }
void StoryDraft::heroSingsAgain() { sayAgain("{hero sings again}"); }

void StoryDraft::song() {
  sayNew("{sing first}", "syllable", questions_.empty() ? longSong : shortSong);
  sayAgain("{sing again}");
  // A song alone is a story only when it is sung three times.
  if (questions_.empty() && (!telling_.has("hero") || happens(0.5))) sayAgain("{sing once more}");
}

void StoryDraft::secret(std::string_view opening) {
  sayNew(opening, "any word", questions_.empty() ? longSong : shortSong);
  sayAgain("{secret again}");
  if (questions_.empty() && happens(0.5)) sayAgain("{secret once more}");
}

void StoryDraft::magic() {
  sayNew("{magic}", "any word", longSong);
  sayAgain("{magic again}");
  tell("{wonder}");
}

ByteRange StoryDraft::tell(std::string_view pattern) {
  const std::size_t begin = text().size();
  telling_.tell(pattern);
  return {begin, text().size()};
}

void StoryDraft::sayNew(std::string_view pattern, const std::string& rule, int most) {
  tell(pattern);
  list_ = telling_.tellList(rule, most);
  telling_.tellOn(".");
}

void StoryDraft::sayAgain(std::string_view pattern) {
  tell(pattern);
  const std::size_t begin = text().size();
  telling_.tellOn(list_);
  repeats_.push_back({begin, text().size()});
  telling_.tellOn(".");
}

void StoryDraft::combine(std::string_view kind, std::string_view a, std::string_view b, std::string_view c) {
  std::string combination(kind);
  for (std::string_view part : {a, b, c}) combination.append("|").append(part);
  combinations_.push_back(std::move(combination));
}

void StoryDraft::answer(QuestionKind kind, const std::string& right, ByteRange rightSentence,
                        const std::string& wrong, ByteRange wrongSentence) {
  StoryQuestion question;
  question.kind = kind;
  question.prompt = text();
  question.answer = " " + right;
  question.other = " " + wrong;
  question.right = mentionsOf(right, text(), rightSentence).front();
  question.wrong = mentionsOf(wrong, text(), wrongSentence).front();
  question.rightSentence = rightSentence;
  question.wrongSentence = wrongSentence;
  question.answering = lastPiece(text());
  question.rightMentions = mentionsOf(right, text(), {0, text().size()});
  question.wrongMentions = mentionsOf(wrong, text(), {0, text().size()});
  questions_.push_back(std::move(question));
  telling_.tell(right);
}

}  // namespace glassformer
