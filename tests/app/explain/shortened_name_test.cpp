#include "app/explain/shortened_name.h"

#include <catch2/catch_test_macros.hpp>

#include "app/scene/format.h"

using namespace glassformer;

TEST_CASE("a name that has too little room loses its front, and keeps block and part") {
  const auto letters = [](const std::string& text) {  // each a unit; … is three bytes
    return static_cast<float>(text.size()) - (text.find("…") == std::string::npos ? 0.0f : 2.0f);
  };
  const auto fits = [&](const std::string& name, float room) {
    const std::string shorter = shortenedName(name, room, letters);
    CHECK(letters(shorter) <= room);
    return shorter;
  };
  const std::string name = "gradient.blocks.0.ln2.hook_normalized";
  CHECK(fits(name, 37) == name);
  CHECK(fits(name, 36) == "gradient.block…0.ln2.hook_normalized");
  CHECK(fits(name, 30) == "gradient…0.ln2.hook_normalized");
  CHECK(fits(name, 24) == "gr…0.ln2.hook_normalized");
  CHECK(fits(name, 22) == "…0.ln2.hook_normalized");
  CHECK(fits(name, 30) == tellingName(name));
  CHECK(tellingName(name) == "gradient…0.ln2.hook_normalized");
  CHECK(tellingName("blocks.0.attn.hook_q") == "blocks.0.attn.hook_q");
  CHECK(fits(name, 12) == "…_normalized");
  CHECK(fits("gradient.encoder.blocks.1.attn.hook_q", 31) == "gradient.encoder.…1.attn.hook_q");
  CHECK(fits("lens.score_from_query", 20) == "len…score_from_query");
  CHECK(tellingName("logits") == "logits");
}
