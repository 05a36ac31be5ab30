#include "app/engine/training_origin.h"

#include <catch2/catch_test_macros.hpp>

#include "app/engine/model_library.h"
#include "core/io/worked_example.h"

using namespace glassformer;

TEST_CASE("a card says which task its model was trained on, and from which seed") {
  CHECK(trainingOrigin(
            "# x\n\n## Recipe\n\n`glassformer train fill --set norm=rms --seed 12 --steps 9`: AdamW") ==
        TrainingOrigin{"fill", 12});
  CHECK(trainingOrigin("`glassformer train stories`. Later: `other --seed 9`") ==
        TrainingOrigin{"stories", 1});
  for (const char* card :
       {"", "A model card.", "`glassformer train ", "`glassformer train painting --seed 3`",
        "glassformer train stories", "`glassformer trace stories`"})
    CHECK(trainingOrigin(card) == TrainingOrigin{});
}

TEST_CASE("a card says after how many steps its model was written") {
  CHECK(stepsTrained("# x\n\n`glassformer train text --file poem.txt --seed 12 --steps 90`: AdamW") == 90);
  for (const char* card : {"", "`glassformer train sort --seed 1`. Later: `other --steps 9`", "--steps 9",
                           "`glassformer train sort --steps many`"})
    CHECK_FALSE(stepsTrained(card));
}

TEST_CASE("every model that ships says its task, but for the one whose weights are set by hand") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  REQUIRE_FALSE(library.builtIn().empty());
  for (const ModelLibrary::Entry& entry : library.builtIn()) {
    INFO(entry.name);
    const auto model = library.load(entry.name);
    REQUIRE(model);
    CHECK(model->origin.task.empty() == (entry.name == workedExampleName));
  }
}

TEST_CASE("no task is made of no name") { CHECK_FALSE(makeTask({})); }
