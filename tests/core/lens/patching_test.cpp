#include "core/lens/patching.h"

#include <cmath>

#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

struct Two {
  Two() : live(makeModel(smallConfig()), 1), model(makeModel(smallConfig())) {
    texts = {randomTokens(9, 1), randomTokens(9, 2)};
    a = LivePass(model, 1).run(texts[0]), b = LivePass(model, 1).run(texts[1]);
  }
  LivePass live;
  std::shared_ptr<const Transformer> model;
  std::vector<std::vector<int>> texts;
  std::shared_ptr<const Trace> a, b;
};

}  // namespace

TEST_CASE("the whole stream of another text brings its logits, one position's leaves those before it alone") {
  const Two two;
  const int T = two.a->tokenCount();
  Interventions all;
  for (int t = 0; t < T; ++t) all.push_back(patchAt(*two.a, *two.b, "blocks.1.hook_resid_pre", t, t));
  LivePass live(two.model, 1);
  const auto patched = live.run(two.texts[0], all);
  for (int t = 0; t < T; ++t)
    for (int v = 0; v < 40; ++v)
      CHECK(std::abs((*patched)["logits"](t, v) - (*two.b)["logits"](t, v)) < 1e-4f);
  const auto one = live.run(two.texts[0], {patchAt(*two.a, *two.b, "blocks.0.hook_resid_pre", 4, 6)});
  for (int t = 0; t < 4; ++t)
    for (int v = 0; v < 40; ++v) CHECK((*one)["logits"](t, v) == (*two.a)["logits"](t, v));
  for (int d = 0; d < 32; ++d)
    CHECK((*one)["blocks.0.hook_resid_pre"](4, d) == (*two.b)["blocks.0.hook_resid_pre"](6, d));
  CHECK((*one)["logits"](8, 3) != (*two.a)["logits"](8, 3));
}

TEST_CASE("a head is patched where the other text has a counterpart, and stays as it is elsewhere") {
  const Two two;
  Alignment alignment;
  alignment.columns = {{0, 0}, {1, -1}, {2, 1}, {-1, 2}, {3, 3}};
  const std::string z = "blocks.1.attn.hook_z";
  const Intervention patch = patchOfHead(*two.a, *two.b, z, 2, alignment);
  LivePass live(two.model, 1);
  const auto patched = live.run(two.texts[0], {patch});
  const TensorView now = (*patched)[z], own = (*two.a)[z], other = (*two.b)[z];
  const std::vector<int> from{0, -1, 1, 3, -1, -1, -1, -1, -1};
  for (int t = 0; t < 9; ++t)
    for (int h = 0; h < 4; ++h)
      for (int k = 0; k < 8; ++k) {
        const int source = from[static_cast<std::size_t>(t)];
        CHECK(now(t, h, k) == (h == 2 && source >= 0 ? other(source, h, k) : own(t, h, k)));
      }
}

TEST_CASE("all that a part writes is taken from another text, or held at its mean over its own") {
  const Two two;
  LivePass live(two.model, 1);
  const Alignment alignment = align(two.texts[0], two.texts[1]);
  const std::string mlp = "blocks.1.hook_mlp_out", z = "blocks.0.attn.hook_z";
  const auto patched = live.run(two.texts[0], {patchOfPart(*two.a, *two.b, {.point = mlp}, alignment)});
  for (int t = 0; t < 9; ++t) {
    const int at = alignment.columnOfA(t), from = at < 0 ? -1 : alignment[at].b;
    for (int d = 0; d < 32; ++d)
      CHECK((*patched)[mlp](t, d) == (from < 0 ? (*two.a)[mlp](t, d) : (*two.b)[mlp](from, d)));
  }
  Intervention head{.point = z};
  head.index[1] = 2;
  const auto held = live.run(two.texts[0], {heldAtMean(*two.a, head)});
  for (int h = 0; h < 4; ++h)
    for (int k = 0; k < 8; ++k) {
      double mean = 0;
      for (int t = 0; t < 9; ++t) mean += static_cast<double>((*two.a)[z](t, h, k)) / 9;
      for (int t = 0; t < 9; ++t)
        CHECK(std::abs((*held)[z](t, h, k) - (h == 2 ? static_cast<float>(mean) : (*two.a)[z](t, h, k))) <
              1e-6f);
    }
  CHECK(!sameBits(*held, *two.a));
}

TEST_CASE("a patch of a shorter text, or of another width, changes nothing that it has no numbers for") {
  const Two two;
  const Intervention patch =
      patchOfHead(*two.a, *two.b, "blocks.1.attn.hook_z", 1, align(two.texts[0], two.texts[1]));
  std::vector<int> longer = two.texts[0];
  longer.push_back(7), longer.push_back(3);
  LivePass live(two.model, 1);
  const auto plain = live.run(longer), patched = live.run(longer, {patch});
  for (int k = 0; k < 8; ++k)
    for (int t = 9; t < 11; ++t)
      CHECK((*patched)["blocks.1.attn.hook_z"](t, 1, k) == (*plain)["blocks.1.attn.hook_z"](t, 1, k));
  Intervention other = patch;
  other.point = "blocks.1.hook_mlp_out", other.index = {-1, -1, -1, -1};
  CHECK(sameBits(*live.run(longer, {other}), *plain));
}

TEST_CASE("the lead of an answer is its logit less the other's, or its logit alone") {
  const Two two;
  const TensorView logits = (*two.a)["logits"];
  CHECK(lead(*two.a, 3, 5, 9) == logits(3, 5) - logits(3, 9));
  CHECK(lead(*two.a, 3, 5, 5) == logits(3, 5));
}
