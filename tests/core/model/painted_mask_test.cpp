#include "core/model/painted_mask.h"

#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "core/model/point_names.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("painted cells stand in order, each once, and replace the rule") {
  PaintedCells cells{{4, 7, true}, {2, 0, false}, {4, 1, true}, {4, 7, false}};
  CHECK(toText(cells) == "2.0- 4.1+ 4.7-");
  cells.erase(4, 1);
  cells.erase(9, 9);
  CHECK(cells == PaintedCells{{2, 0, false}, {4, 7, false}});
  CHECK(cells.find(4, 1) == nullptr);
  const AttentionMask mask{MaskKind::Causal, 0, {{2, 0, false}, {0, 3, true}}};
  CHECK_FALSE(mask.allows(2, 0));
  CHECK(mask.allows(2, 1));
  CHECK(mask.allows(0, 3));
  CHECK_FALSE(mask.allows(0, 2));
  CHECK(mask.looksAhead());
}

TEST_CASE("painted cells are read back, and what is none is named") {
  const PaintedCells cells{{0, 0, false}, {3, 12, true}};
  CHECK(*paintedCells(toText(cells)) == cells);
  CHECK(paintedCells("")->empty());
  CHECK(*paintedCells("  3.12+   0.0- 0.0- ") == cells);
  for (const char* word : {"3", "3.", ".3+", "3.4", "3.4*", "-1.2+", "3.4.5+", "a.b+", "3.99999999999+"}) {
    INFO(word);
    const auto refused = paintedCells(std::string("1.1+ ") + word);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message(), ContainsSubstring(word));
  }
  ModelConfig config;
  CHECK(setField(config, "painted_mask", "5.1-"));
  CHECK_FALSE(config.mask.allows(5, 1));
  CHECK(setField(config, "painted_mask", ""));
  CHECK(config.mask.painted.empty());
  CHECK_FALSE(setField(config, "painted_mask", "no"));
}

TEST_CASE("a token that sees nothing has a row of zeros; no number becomes NaN") {
  forEachMember([](const ModelConfig& member) {
    if (!member.hasAttention()) return;
    ModelConfig config = member;
    for (int key = 0; key < 6; ++key) config.mask.painted.paint({3, key, false});
    const auto trace =
        traceOf(config, randomTokens(6, 1), randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    for (int i = 0; i < trace->count(); ++i)
      trace->tensor(i).forEach([&](const auto&, float value) {
        if (std::isnan(value)) FAIL("a NaN in " << trace->point(i).name);
      });
    const TensorView pattern = (*trace)[attentionPoint(0, ownSite(config), "hook_pattern")];
    for (int head = 0; head < 4; ++head)
      for (int key = 0; key < 6; ++key) CHECK(pattern(head, 3, key) == 0);
  });
}
