#include "core/model/suspects.h"

#include <catch2/catch_test_macros.hpp>

#include "core/model/live_pass.h"
#include "tests/core/model/reference_family.h"

using namespace glassformer;

TEST_CASE("every suspect of every member computes something, with no weight but the model's own") {
  for (const ReferenceMember& member : referenceFamily()) {
    const auto model =
        std::make_shared<const Transformer>(member.config, member.values.weights(member.config));
    const auto suspects = suspectsOf(model);
    INFO(member.file);
    CHECK(suspects.size() >= 4);
    for (const Suspect& suspect : suspects) {
      INFO(suspect.words);
      const bool isFolded = suspect.words.find("folded") != suspect.words.npos;  // norms go to biases
      if (!isFolded) CHECK(suspect.model->parameters().valueCount() <= model->parameters().valueCount());
      for (int i = 0; i < suspect.model->parameters().count(); ++i)
        if (const std::string& name = suspect.model->parameters().spec(i).name;
            isFolded && model->parameters().find(name) < 0)
          CHECK((name == "lm_head.weight" || name.ends_with(".bias")));
      const auto trace = LivePass(suspect.model).run(member.tokens(), {}, member.source());
      CHECK((*trace)["logits"].extent[1] == member.config.vocabulary);
    }
  }
}
