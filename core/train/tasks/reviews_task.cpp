#include "core/train/tasks/reviews_task.h"

#include <array>

#include "core/text/words.h"
#include "core/train/tasks/question_task.h"

namespace glassformer {
namespace {

using namespace std::string_view_literals;

constexpr std::array reviewed{"film"sv, "book"sv,  "song"sv, "meal"sv, "play"sv,
                              "game"sv, "story"sv, "room"sv, "trip"sv, "end"sv};
constexpr std::array praising{"good"sv, "great"sv, "fine"sv, "lovely"sv, "clever"sv, "funny"sv};
constexpr std::array blaming{"bad"sv, "awful"sv, "dull"sv, "ugly"sv, "silly"sv, "boring"sv};
constexpr std::array negations{"not"sv, "never"sv};
constexpr std::array degrees{"very"sv, "really"sv, "quite"sv};
constexpr std::array conjunctions{"but"sv, "although"sv};
constexpr std::array verdicts{"negative"sv, "positive"sv};
constexpr int longestClause = 6, longestReview = 2 * longestClause + 2;  // "... but ...>"

template <std::size_t size>
std::string_view anyOf(const std::array<std::string_view, size>& words, Random& random) {
  return words[static_cast<std::size_t>(random.below(static_cast<int>(size)))];
}

struct Opinion {
  std::string text;
  bool praises = false;
};

// "the film was [not] [very] good"
Opinion anyClause(Random& random) {
  Opinion clause{"the " + std::string(anyOf(reviewed, random)) + " was ", random.below(2) == 0};
  const std::string_view adjective = clause.praises ? anyOf(praising, random) : anyOf(blaming, random);
  if (random.below(2) == 0) {
    clause.text += std::string(anyOf(negations, random)) + " ";
    clause.praises = !clause.praises;
  }
  if (random.below(3) == 0) clause.text += std::string(anyOf(degrees, random)) + " ";
  clause.text += adjective;
  return clause;
}

Opinion anyReview(Random& random) {
  Opinion first = anyClause(random);
  if (random.below(3) == 0) return first;
  const Opinion second = anyClause(random);
  const std::string_view conjunction = anyOf(conjunctions, random);
  return {first.text + " " + std::string(conjunction) + " " + second.text,
          conjunction == "but" ? second.praises : first.praises};
}

Words reviewTokenizer() {
  std::vector<std::string> tokens{"the", "was"};
  const auto add = [&](const auto& words) { tokens.insert(tokens.end(), words.begin(), words.end()); };
  add(reviewed), add(praising), add(blaming), add(negations), add(degrees), add(conjunctions);
  tokens.emplace_back(">");
  add(verdicts);
  tokens.insert(tokens.end(), {std::string(Tokenizer::unknownName), std::string(Tokenizer::endOfTextName)});
  return *Words::create(std::move(tokens));
}

}  // namespace

std::shared_ptr<const TrainingTask> reviewsTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("reviews", seed, steps > 0 ? steps : 1000, longestReview)};
  quiz.tokenizer = std::make_shared<const Words>(reviewTokenizer());
  quiz.purpose =
      "Says whether a review is positive or negative: \"the film was not dull although the end was "
      "bad>positive\". The class is read off the last token.\n\n## Data\n\nReviews of one or two clauses "
      "(`core/train/tasks/reviews_task.h`), generated from a seed; the loss counts the class. A tenth of the "
      "reviews is held out from training; the numbers below are measured on these.\n";
  quiz.ask = [](Random& random) {
    const Opinion review = anyReview(random);
    return Example{.source = "",
                   .prompt = review.text + ">",
                   .answer = std::string(verdicts[review.praises ? 1 : 0]),
                   .ends = false};
  };
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
