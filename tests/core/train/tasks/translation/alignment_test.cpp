// Which English words a German word stems from.
#include <catch2/catch_test_macros.hpp>

#include "core/train/tasks/translation/sentence_pair.h"
#include "tests/core/train/tasks/translation/clauses.h"

using namespace glassformer;
using namespace glassformer::translation;
using glassformer::translation::that;

namespace {

// "hat<bought Anna<Anna ..."
std::string links(const Sentence& sentence) {
  const auto pair = pairOf(sentence);
  REQUIRE(pair);
  std::string text;
  for (std::size_t g = 0; g < pair->germanWords.size(); ++g) {
    const auto at = [](const std::string& of, ByteRange r) { return of.substr(r.begin, r.end - r.begin); };
    text += (g ? " " : "") + at(pair->german, pair->germanWords[g]) + "<";
    for (std::size_t i = 0; i < pair->sources[g].size(); ++i)
      text += (i ? "+" : "") +
              at(pair->english, pair->englishWords[static_cast<std::size_t>(pair->sources[g][i])]);
  }
  return text;
}

constexpr Phrase becauseWeil = {"because", "weil"}, inOrderUm = {"in order", "um"};
const Verb& toOpen = verb("aufmachen", Frame::Accusative);
const Verb& toTurnOn = verb("anmachen", Frame::Accusative);

}  // namespace

TEST_CASE("both parts of a verb stem from all of it") {
  CHECK(links(Told(named("Anna"), toTurnOn).accusative(the("lamp"))) ==
        "Anna<Anna macht<turns+on die<the Lampe<lamp an<turns+on");
  CHECK(links(Told(named("Anna"), toTurnOn).accusative(it(Gender::Feminine)).in(Tense::Perfect)) ==
        "Anna<Anna hat<has sie<it angemacht<turned+on");
  CHECK(links(Told(named("Anna"), toOpen).accusative(the("door")).past()) ==
        "Anna<Anna hat<opened die<the Tür<door aufgemacht<opened");
}

TEST_CASE("auxiliaries, negations and modals stem from what says the same") {
  CHECK(links(Told(named("Anna"), toOpen).accusative(a("door")).past().negated()) ==
        "Anna<Anna hat<did keine<not+a Tür<door aufgemacht<open");
  CHECK(links(Told(named("Anna"), toOpen).accusative(the("door")).negated().time("today")) ==
        "Anna<Anna macht<does+open die<the Tür<door heute<today nicht<not auf<open");
  CHECK(links(Told(named("Anna"), toOpen).accusative(the("door")).modal("müssen")) ==
        "Anna<Anna muss<has+to die<the Tür<door aufmachen<open");
  CHECK(links(Told(named("Anna"), verb("singen", Frame::Plain)).modal("können").negated()) ==
        "Anna<Anna kann<cannot nicht<cannot singen<sing");
  CHECK(links(Told(named("Anna"), toOpen).accusative(a("door")).past().contracted()) ==
        "Anna<Anna hat<didn't keine<didn't+a Tür<door aufgemacht<open");
  CHECK(links(Told(named("Anna"), verb("lesen", Frame::Accusative)).accusative(bare("books")).gladly()) ==
        "Anna<Anna liest<likes+read gern<likes+to Bücher<books");
}

TEST_CASE("contractions and wordings stem from several words, relative pronouns from theirs") {
  const NounPhrase girl = the("girl");
  CHECK(
      links(Told(that(girl, Told(relative(girl), verb("schlafen", Frame::Plain)).clause),
                 verb("singen", Frame::Plain))
                .location("in", the("garden"))
                .timeFirst("in the|evening")
                .past()) ==
      "Am<In+the Abend<evening hat<sang das<the Mädchen<girl das<who schläft<sleeps im<in+the Garten<garden "
      "gesungen<sang");
  CHECK(links(Told(named("Tom"), verb("gehen", Frame::Direction))
                  .home()
                  .infinitiveOf(Told(toOpen).accusative(the("window")), &inOrderUm)) ==
        "Tom<Tom geht<goes nach<home Hause<home um<in+order das<the Fenster<window aufzumachen<to+open");
  CHECK(links(Told(named("Tom"), verb("warten", Frame::Preposition))
                  .complement(the("train"))
                  .attach(becauseWeil, Told(it(Gender::Neuter), weather().front()).in(Tense::Progressive))) ==
        "Tom<Tom wartet<waits auf<for den<the Zug<train weil<because es<it regnet<is+raining");
}
