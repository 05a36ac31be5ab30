#include "core/train/held_out_texts.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "core/train/tasks/induction_task.h"
#include "core/train/tasks/question_task.h"

using namespace glassformer;

TEST_CASE("held-out texts are those of the task without what fills their rows up, others for another seed") {
  const auto task = inductionTask(1, 0);
  const std::vector<TokenText> texts = heldOutTexts(*task, 5, 40);
  REQUIRE(texts.size() == 40);
  std::set<std::size_t> lengths;
  for (const TokenText& text : texts) {
    const std::string letters = task->tokenizer().decode(text.tokens);
    const std::size_t period = (letters.size() + 1) / 2;
    CHECK(letters.substr(period) == letters.substr(0, period - 1));
    CHECK(text.source.empty());
    lengths.insert(letters.size());
    // The loss is taken over the repeat, from its second letter on: what was not said before cannot be known.
    REQUIRE(text.counted.size() == text.tokens.size() - 1);
    for (std::size_t t = 0; t + 1 < text.tokens.size(); ++t) CHECK(text.counted[t] == (t + 1 > period));
  }
  CHECK(lengths.size() > 5);
  CHECK(heldOutTexts(*task, 5, 40)[39].tokens == texts[39].tokens);
  CHECK(heldOutTexts(*task, 6, 1)[0].tokens != texts[0].tokens);
}

TEST_CASE("repeats are tokens of the texts said twice behind the end of a text, as long as there is room") {
  const BytePairEncoding tokenizer = characterTokenizer();
  const int end = tokenizer.endOfText();
  const std::vector<TokenText> texts{{{end, 97, 98}, {}}, {{99}, {100}}};
  for (const int context : {64, 16}) {
    const std::vector<TokenText> repeated = repeatedTexts(texts, tokenizer, context, 3);
    REQUIRE(repeated.size() == 2);
    CHECK(repeated[1].source == std::vector{100});
    for (const TokenText& text : repeated) {
      CHECK(text.tokens.front() == end);
      const std::size_t period = text.tokens.size() / 2;
      CHECK((period == 7) == (context == 16));
      CHECK((period >= 12) == (context == 64));
      const auto second = text.tokens.begin() + 1 + static_cast<std::ptrdiff_t>(period);
      CHECK(std::equal(text.tokens.begin() + 1, second, second, text.tokens.end()));
      CHECK(std::all_of(text.tokens.begin() + 1, text.tokens.end(),
                        [](int id) { return id >= 97 && id <= 99; }));
    }
  }
}
