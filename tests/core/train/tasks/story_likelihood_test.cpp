#include "core/train/tasks/story_likelihood.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#include "core/train/tasks/stories.h"
#include "core/train/tasks/story_grammar.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("a story's log-probability is the one the generator noted down, in both splits") {
  for (const Split split : {Split::Training, Split::HeldOut}) {
    StoryGenerator generator(31, split);
    for (int i = 0; i < 150; ++i) {
      const Story story = generator.next();
      INFO(story.text);
      const auto found = storyLogProbability(story.text);
      REQUIRE(found);
      REQUIRE(*found == Approx(story.logProbability));
    }
  }
}

TEST_CASE("what the grammar cannot tell has no probability") {
  StoryGenerator generator(5, Split::Training);
  for (int i = 0; i < 20; ++i) {
    std::string text = generator.next().text;
    text.resize(text.size() - std::string("<|endoftext|>").size());
    CHECK(storyLogProbability(text));
    CHECK_FALSE(storyLogProbability(text + " And then?"));
    CHECK_FALSE(storyLogProbability(text.substr(0, text.rfind(' '))));
  }
  CHECK_FALSE(storyLogProbability(""));
  CHECK_FALSE(storyLogProbability("The animal didn't cross the street because it was too purple."));
}

TEST_CASE("a gap is filled with every word that fits, each as probable as its story") {
  const std::string before = "The dog couldn't climb the hill because it was too",
                    after =
                        ". What was too steep? The hill was too steep. So the dog walked all the way around.";
  const auto only = gapWords(before + " ", after);
  REQUIRE(only.size() == 1);
  CHECK(only.front().word == "steep");
  CHECK(only.front().logProbability == Approx(*storyLogProbability(before + " steep" + after)));

  const auto animals = gapWords("One sunny day Mia found a blue ball in the grass. She gave it to ",
                                ". Soon Ben gave it to Tom. Who had the ball now? It was Tom.");
  REQUIRE(animals.size() == 1);
  CHECK(animals.front().word == "Ben");

  // A name said once could be anybody's but hers who found it and his who gave it.
  const auto people =
      gapWords("One sunny day Mia found a blue ball in the grass. She gave it to Ben. Soon Ben gave it to ",
               " . Who had the ball now?");
  CHECK(people.empty());  // no story ends like this
  const auto weather =
      gapWords("One ",
               " day Mia found a blue ball in the grass. She gave it to Ben. Soon Ben gave it to Tom. "
               "Who had the ball now? It was Tom.");
  CHECK(weather.size() == storyRules().at("weather").size());
  for (const GapWord& word : weather) CHECK(word.logProbability == Approx(weather.front().logProbability));
}

TEST_CASE("likelier words come first") {
  // "Then" and "Soon" and "Later" are alike; a gift is brought or given alike; an answer is certain.
  StoryGenerator generator(8, Split::HeldOut);
  for (int i = 0; i < 30; ++i) {
    const Story story = generator.next();
    const std::size_t space = story.text.find(' ', story.text.size() / 3);
    std::size_t end = space + 1;
    while (std::isalpha(static_cast<unsigned char>(story.text[end]))) ++end;
    if (end == space + 1) continue;
    const auto words = gapWords(story.text.substr(0, space + 1), story.text.substr(end));
    INFO(story.text);
    REQUIRE_FALSE(words.empty());
    bool found = false;
    for (std::size_t w = 0; w < words.size(); ++w) {
      if (w > 0) CHECK(words[w].logProbability <= words[w - 1].logProbability);
      if (words[w].word != story.text.substr(space + 1, end - space - 1)) continue;
      found = true;
      CHECK(words[w].logProbability == Approx(story.logProbability));
    }
    CHECK(found);
  }
}
