#include "core/train/tasks/translation/sentence_draft.h"

#include "core/train/tasks/translation/clause_draft.h"

namespace glassformer::translation {
namespace {

constexpr Phrase because = {"because", "weil"}, although = {"although", "obwohl"},
                 before = {"before", "bevor"}, during = {"while", "während"}, onCondition = {"if", "wenn"},
                 whenPresent = {"when", "wenn"}, whenPast = {"when", "als"}, that = {"that", "dass"},
                 whether = {"whether", "ob"}, why = {"why", "warum"}, inOrder = {"in order", "um"},
                 conjunctionAnd = {"and", "und"}, conjunctionBut = {"but", "aber"};

class SentenceDraft {
 public:
  explicit SentenceDraft(Choices& choices) : choices_(choices), clauses_(choices) {}

  Sentence draft() {
    if (choices_.happens(0.02)) return hearsay();
    if (choices_.happens(0.1)) return withReason();
    if (choices_.happens(0.30))
      return {.clause = clauses_.clause({.tense = clauses_.mainTense(), .main = true})};
    if (choices_.happens(0.45)) return withSubordinate();
    if (choices_.happens(0.45)) return reported();
    if (choices_.happens(0.40)) return {.clause = clauses_.question(clauses_.mainTense())};
    if (choices_.happens(0.50)) return coordinated();
    return withInfinitive();
  }

 private:
  // "People say that ...", the one kind of sentence with more than one translation.
  Sentence hearsay() {
    const int which = choices_.happens(hearsayShare)
                          ? 0
                          : 1 + choices_.pick(static_cast<int>(translation::hearsay().size()) - 1);
    return {.hearsay = &translation::hearsay()[static_cast<std::size_t>(which)],
            .clause = clauses_.clause({.tense = clauses_.mainTense()})};
  }

  // Anna buys the lamp because it is beautiful. If it is raining, ...
  Sentence withSubordinate() {
    const Tense tense = clauses_.mainTense();
    const Phrase& conjunction = *conjunctionFor(tense);
    const bool first = choices_.happens(0.35);
    const Tense dependent = settle(conjunction, clauses_.dependentTense(tense));
    const bool plain = !isReason(conjunction);  // hours and conditions are told briefly
    Clause said, reply;
    if (first) {
      said = clauses_.clause({.tense = dependent, .plain = plain, .affirmed = plain});
      reply = replyTo(said, {.tense = tense});
    } else {
      said = clauses_.clause({.tense = tense, .main = true});
      reply = choices_.happens(0.12) ? clauses_.weatherClause(weatherTense(conjunction, dependent))
                                     : replyTo(said, {.tense = dependent, .plain = plain, .affirmed = plain});
    }
    Sentence sentence{.clause = first ? reply : said};
    sentence.clause.attachments.push_back(
        {.conjunction = &conjunction, .before = first, .clause = first ? said : reply});
    return sentence;
  }

  // The animal did not cross the street because it was too tired: German has to know which of both "it" is.
  Sentence withReason() {
    const Tense tense = choices_.happens(0.6) ? Tense::Past : clauses_.mainTense();
    Sentence sentence{.clause = clauses_.crossing(tense)};
    const Phrase& conjunction = sentence.clause.negated ? because : although;
    Clause reason = clauses_.reasonFor(sentence.clause, clauses_.dependentTense(sentence.clause.tense));
    sentence.clause.attachments.push_back({.conjunction = &conjunction, .clause = std::move(reason)});
    return sentence;
  }

  const Phrase* conjunctionFor(Tense tense) {
    if (tense == Tense::Past)
      return one({&because, &because, &although, &whenPast, &whenPast, &before, &during});
    if (tense == Tense::Present)
      return one({&because, &because, &although, &whenPresent, &onCondition, &before, &during});
    if (tense == Tense::Future) return one({&because, &onCondition, &onCondition, &whenPresent, &before});
    return one({&because, &although});
  }

  static bool isReason(const Phrase& conjunction) {
    return &conjunction == &because || &conjunction == &although;
  }

  // Conditions and hours are told in the simple tenses.
  static Tense settle(const Phrase& conjunction, Tense dependent) {
    return isReason(conjunction) || dependent == Tense::Past ? dependent : Tense::Present;
  }

  // "because it is raining", but "if it rains".
  static Tense weatherTense(const Phrase& conjunction, Tense dependent) {
    const bool ahead = &conjunction == &before || &conjunction == &onCondition;
    return dependent == Tense::Past || ahead ? dependent : Tense::Progressive;
  }

  // The clause that is said second; often about what the first one names, as "it".
  Clause replyTo(const Clause& said, const ClauseDraft::Wish& wish) {
    if (choices_.happens(0.4))
      if (auto clause = clauses_.clauseAboutIt(said, wish)) return *std::move(clause);
    return clauses_.clause(wish);
  }

  // Tom says that ..., Tom does not know whether ..., Tom asks why ...
  Sentence reported() {
    const Verb& verb = pickWhere(choices_, verbs(), [](const Verb& v) { return v.frame == Frame::Clause; });
    const Tense tense = choices_.happens(0.5) ? Tense::Present : Tense::Past;
    Clause main{.subject = clauses_.personSubject(), .verb = &verb, .tense = tense};
    if (choices_.happens(0.2) && tense == Tense::Past) {
      clauses_.addTime(main);
      main.front = Front::Time;
    }
    const bool asks = verb.english.base == "ask", knows = verb.english.base == "know";
    if (knows && main.subject->isDefinite() && main.subject->determiner != Determiner::Every &&
        choices_.happens(0.4))
      clauses_.negate(main);
    const Phrase* conjunction = &that;
    if (asks || main.negated) conjunction = choices_.happens(0.5) ? &whether : &why;
    if (knows && !main.negated && choices_.happens(0.4)) conjunction = &why;
    const Tense dependent = tense == Tense::Past ? Tense::Past : clauses_.mainTense();
    main.attachments.push_back({.conjunction = conjunction, .clause = clauses_.clause({.tense = dependent})});
    return {.clause = std::move(main)};
  }

  Sentence coordinated() {
    const Tense tense = clauses_.mainTense();
    const Phrase& conjunction = choices_.happens(0.5) ? conjunctionAnd : conjunctionBut;
    Sentence sentence{.clause = clauses_.clause({.tense = tense, .main = true, .plain = true})};
    sentence.clause.attachments.push_back(
        {.kind = Attachment::Kind::Coordinate,
         .conjunction = &conjunction,
         .clause = replyTo(sentence.clause, {.tense = clauses_.dependentTense(tense)})});
    return sentence;
  }

  // Anna tries to open the window. Anna goes home in order to ...
  Sentence withInfinitive() {
    const bool purpose = choices_.happens(0.5);
    const Verb& verb = pickWhere(choices_, verbs(), [&](const Verb& v) {
      return purpose ? v.way == Way::Travel : v.frame == Frame::Infinitive;
    });
    Clause main = clauses_.clauseWith(verb, {.tense = clauses_.mainTense(), .plain = true});
    main.attachments.push_back({.kind = Attachment::Kind::Infinitive,
                                .conjunction = purpose ? &inOrder : nullptr,
                                .clause = clauses_.infinitiveClause()});
    return {.clause = std::move(main)};
  }

  const Phrase* one(std::initializer_list<const Phrase*> phrases) {
    return phrases.begin()[choices_.pick(static_cast<int>(phrases.size()))];
  }

  Choices& choices_;
  ClauseDraft clauses_;
};

}  // namespace

Sentence draftSentence(Choices& choices) { return SentenceDraft(choices).draft(); }

}  // namespace glassformer::translation
