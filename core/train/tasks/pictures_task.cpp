#include "core/train/tasks/pictures_task.h"

#include "core/text/characters.h"
#include "core/train/tasks/bitmap.h"
#include "core/train/tasks/question_task.h"

namespace glassformer {
namespace {

constexpr int mostFlips = 2;  // pixels of noise: shapes differ in more than twice as many
constexpr int pictureTokens = Bitmap::patches * (Bitmap::patches + 1) + 1;  // patches, line breaks, ">"

Characters patchTokenizer() {
  std::vector<std::string> tokens(patchCharacters().begin(), patchCharacters().end());
  tokens.insert(tokens.end(), {"\n", ">"});
  for (const BitmapShape& shape : bitmapShapes()) tokens.emplace_back(1, shape.name);
  tokens.insert(tokens.end(), {std::string(Tokenizer::unknownName), std::string(Tokenizer::endOfTextName)});
  return *Characters::create(std::move(tokens));
}

Example anyPicture(Random& random) {
  const auto shapes = bitmapShapes();
  const BitmapShape& shape = shapes[static_cast<std::size_t>(random.below(static_cast<int>(shapes.size())))];
  Bitmap picture;
  shape.draw(picture, random);
  for (int left = random.below(mostFlips + 1); left > 0; --left)
    picture.flip(random.below(Bitmap::side), random.below(Bitmap::side));
  return {.source = "", .prompt = picture.text() + ">", .answer = {shape.name}, .ends = false};
}

}  // namespace

std::shared_ptr<const TrainingTask> picturesTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("pictures", seed, steps > 0 ? steps : 1500, pictureTokens)};
  quiz.recipe.config.mask.kind = MaskKind::None;
  quiz.tokenizer = std::make_shared<const Characters>(patchTokenizer());
  quiz.purpose =
      "Says what a tiny picture shows: a lying or standing bar, an upright or slanted cross, a frame. Its "
      "tokens are patches of 2 x 2 pixels; the class is read off the last token. Nothing is masked: every "
      "patch sees every other.\n\n## Data\n\nPictures of 8 x 8 pixels (`core/train/tasks/bitmap.h`), drawn "
      "at random positions and in random sizes, with up to 2 pixels flipped, generated from a seed; the loss "
      "counts the class. A tenth of the pictures is held out from training; the numbers below are measured "
      "on these.\n";
  quiz.ask = anyPicture;
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
