#include "core/train/tasks/grammar.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <map>

#include "tests/core/train/tasks/every_choice.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// Text and probability of everything that `tell` can write.
std::map<std::string, double> everything(const Rules& rules, const std::function<void(Telling&)>& tell) {
  std::map<std::string, double> texts;
  forEveryDerivation([&](Choices& choices, std::string& text) {
    Telling telling(rules, choices);
    try {
      tell(telling);
    } catch (const NoChoiceLeft&) {
      text = telling.text();
      throw;
    }
    texts[telling.text()] += std::exp(choices.logProbability());
    text = telling.text();
  });
  return texts;
}

const Rules rules = {{"animal", {"dog", "owl", "cat"}},
                     {"size", {"big", "old"}},
                     {"phrase", {"{a size} {hero=animal}", "nobody"}},
                     {"verb", {"climb", "cross"}},
                     {"obstacle/climb", {"hill"}},
                     {"obstacle/cross", {"street", "river"}},
                     {"la", {"a", "b", "c", "d", "e"}}};

}  // namespace

TEST_CASE("alternatives are equally likely and everything sums to one") {
  const auto texts = everything(rules, [](Telling& t) { t.tell("Here is {phrase}."); });
  CHECK(texts.size() == 7);
  CHECK(texts.at("Here is nobody.") == Approx(1.0 / 2));
  CHECK(texts.at("Here is a big owl.") == Approx(1.0 / 12));
  CHECK(texts.at("Here is an old cat.") == Approx(1.0 / 12));
}

TEST_CASE("a variable stands for what was written, and can be left out of a choice") {
  const auto texts = everything(rules, [](Telling& t) {
    t.tell("The {x=animal}");
    t.tell("saw the {y=animal-x}, said the {x}.");
  });
  CHECK(texts.size() == 6);
  CHECK(texts.at("The dog saw the owl, said the dog.") == Approx(1.0 / 6));
}

TEST_CASE("a rule can depend on a variable") {
  const auto texts = everything(rules, [](Telling& t) { t.tell("{v=verb} the {obstacle/$v}"); });
  CHECK(texts == std::map<std::string, double>{
                     {"climb the hill", 0.5}, {"cross the river", 0.25}, {"cross the street", 0.25}});
}

TEST_CASE("lists have different words and every length alike") {
  const auto texts = everything(rules, [](Telling& t) {
    const std::string list = t.tellList("la", 5);
    CHECK(list == t.text());
  });
  std::map<std::size_t, double> byLength;
  for (const auto& [text, probability] : texts) {
    byLength[text.size() / 2] += probability;
    for (char word : std::string("abcde")) CHECK(std::count(text.begin(), text.end(), word) <= 1);
  }
  CHECK(byLength.size() == 2);
  CHECK(byLength.at(4) == Approx(0.5));
  CHECK(byLength.at(5) == Approx(0.5));
}

TEST_CASE("chances cost what they are worth") {
  const auto texts = everything(rules, [](Telling& t) {
    t.tell(t.choices().happens(0.25) ? "yes" : "no");
    if (t.choices().happens(1.0)) t.tell("always");
    if (t.choices().happens(0.0)) t.tell("never");
  });
  CHECK(texts.size() == 2);
  CHECK(texts.at("yes always") == Approx(0.25));
}

TEST_CASE("random choices come as often as they should") {
  Random random(11);
  std::map<std::string, int> counts;
  for (int i = 0; i < 30000; ++i) {
    RandomChoices choices(random);
    Telling telling(rules, choices);
    telling.tell(choices.happens(0.25) ? "{v=verb}" : "{animal}");
    ++counts[telling.text()];
  }
  for (const char* animal : {"dog", "owl", "cat"}) CHECK(std::abs(counts[animal] - 7500) < 400);  // 5 sigma
  for (const char* verb : {"climb", "cross"}) CHECK(std::abs(counts[verb] - 3750) < 300);
}
