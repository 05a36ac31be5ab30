// Gradients, against the pass backward of every kind of model: what the chain rule says of each is what it
// is.
#include "core/lens/chain_rule.h"

#include <cmath>
#include <filesystem>

#include "core/io/model_directory.h"
#include "core/tensor/operations/loss.h"
#include "core/trace/derived.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

struct Opened {
  int told = 0, all = 0;
};

// Of some numbers of every gradient: the terms give it. How many say so, and of how many.
Opened openedIn(const ReplayedPass& pass, int everyNth) {
  Opened opened;
  for (int i = 0; i < pass.measured->count(); ++i) {
    const std::string& name = pass.measured->point(i).name;
    if (!name.starts_with("gradient.")) continue;
    INFO(name);
    int n = 0;
    pass.measured->tensor(i).forEach([&](const Index& at, float value) {
      if (n++ % everyNth != 0) return;
      ++opened.all;
      const auto made = pass.measured->derive(name, at);
      if (!made) return;
      ++opened.told;
      INFO(at[0] << ", " << at[1] << ", " << at[2]);
      CHECK(std::abs(made->value() - static_cast<double>(value)) <=
            2e-3 * (1e-2 + std::abs(static_cast<double>(value))));
      for (const Term& term : made->terms) {
        CHECK((!term.factor || pass.measured->locate(term.factor)));  // a gradient
        CHECK((!term.other || pass.trace->locate(term.other) || pass.trace->weights()->locate(term.other) ||
               pass.measured->locate(term.other)));  // a slope
      }
    });
  }
  return opened;
}

}  // namespace

TEST_CASE("every gradient of a model as lectures draw it opens by the chain rule, back to the logit's 1") {
  const auto model = makeModel(smallConfig());
  const Trace read(randomTokens(6, 1));
  const ReplayedPass pass = backwardAgain("backward", model, read, {}, {{{4, 7}, 3}, {}});
  const Opened opened = openedIn(pass, isSanitized ? 97 : 11);
  CHECK(opened.told == opened.all);
  const auto start = pass.measured->derive("gradient.logits", {4, 7});
  REQUIRE(start);
  CHECK(start->value() == 1);
  CHECK(pass.measured->derive("gradient.logits", {4, 3})->value() == -1);
  for (const char* point :
       {"hook_embed", "blocks.1.hook_resid_mid", "blocks.0.attn.hook_v", "blocks.1.attn.hook_pattern",
        "blocks.1.attn.hook_attn_scores", "blocks.0.ln2.hook_normalized", "blocks.0.mlp.hook_pre"})
    CHECK(pass.measured->contains(gradientName(point)));
}

TEST_CASE("through what is put in by hand gradients open, too, as far as it leaves something") {
  const auto model = makeModel(smallConfig());
  const auto all = [](const char* point, InterventionKind kind, float value,
                      std::array<int, maxRank> index = {-1, -1, -1, -1}) {
    return Intervention{point, kind, index, value};
  };
  for (const Interventions& interventions :
       {Interventions{all("blocks.1.attn.hook_z", InterventionKind::Scale, 0.5f, {-1, 2, -1, -1})},
        Interventions{all("blocks.0.attn.hook_z", InterventionKind::Zero, 0, {-1, 1, -1, -1})},
        Interventions{all("blocks.1.hook_resid_pre", InterventionKind::Scale, 1.5f, {3, -1, -1, -1})},
        Interventions{all("blocks.0.hook_mlp_out", InterventionKind::Replace, 0.25f, {-1, 7, -1, -1}),
                      all("blocks.1.mlp.hook_post", InterventionKind::Scale, 2)},
        Interventions{all("blocks.1.attn.hook_pattern", InterventionKind::Scale, 0.5f, {1, 4, 2, -1}),
                      all("blocks.1.attn.hook_pattern", InterventionKind::Replace, 0.5f, {2, 4, 1, -1})},
        Interventions{all("blocks.1.attn.hook_attn_scores", InterventionKind::Scale, 2, {0, -1, -1, -1})},
        Interventions{all("blocks.1.attn.hook_q", InterventionKind::Add, 1),
                      all("blocks.1.ln1.hook_normalized", InterventionKind::Scale, 0.5f)}}) {
    INFO(interventions.front().point);
    const ReplayedPass pass =
        backwardAgain("backward", model, Trace(randomTokens(6, 1)), interventions, {{{4, 7}, -1}, {}});
    const Opened opened = openedIn(pass, isSanitized ? 97 : 11);
    CHECK(opened.told == opened.all);
  }
}

TEST_CASE("a gradient in front of an activation is the one behind it times a slope that has a name") {
  const auto model = makeModel(smallConfig());
  const ReplayedPass pass =
      backwardAgain("backward", model, Trace(randomTokens(6, 1)), {}, {{{4, 7}, -1}, {}});
  const auto made = pass.measured->derive(gradientName("blocks.1.mlp.hook_pre"), {4, 5});
  REQUIRE(made);
  REQUIRE(made->terms.size() == 1);
  const TensorView behind = (*pass.measured)[gradientName("blocks.1.mlp.hook_post")],
                   slope = (*pass.measured)["slope.blocks.1.mlp.hook_post"];
  CHECK(made->terms[0].factor == &behind(4, 5));
  CHECK(made->terms[0].other == &slope(4, 5));
  CHECK(pass.measured->derive("slope.blocks.1.mlp.hook_post", {4, 5})->functionName ==
        std::string("GELU_tanh′"));
}

TEST_CASE(
    "through linear attention gradients open, too: shares of scores, and features of queries and keys") {
  ModelConfig config = smallConfig();
  config.kernel = AttentionKernel::Linear;
  const auto model = makeModel(config);
  const ReplayedPass pass =
      backwardAgain("backward", model, Trace(randomTokens(6, 1)), {}, {{{4, 7}, -1}, {}});
  const Opened opened = openedIn(pass, isSanitized ? 97 : 11);
  CHECK(opened.told == opened.all);
  CHECK(pass.measured->contains(gradientName("blocks.0.attn.hook_k_features")));
  CHECK(pass.measured->contains(gradientName("blocks.1.attn.hook_attn_scores")));
}

// By how much a logit rises with one score, the interventions standing: (z₊ − z₋) / 2ε.
double slopeOfScore(const std::shared_ptr<const Transformer>& model, const Trace& read,
                    const Interventions& standing, const std::string& point, const Index& at, Prediction of) {
  constexpr float step = 0.01f;
  const auto logit = [&](float by) {
    // What was put in there by hand comes after: a score is moved before the pattern is made of it.
    const Intervention moved{point, InterventionKind::Add, {at[0], at[1], at[2], -1}, by};
    return static_cast<double>((*LivePass(model, 1).run(
        read.tokens(), withOneMore(standing, moved)))["logits"](of.position, of.entry));
  };
  return (logit(step) - logit(-step)) / (2 * static_cast<double>(step));
}

TEST_CASE("gradients go on through shares that were changed by hand, as finite differences have them") {
  ModelConfig linear = smallConfig(), masked = smallConfig();
  linear.kernel = AttentionKernel::Linear;
  masked.maskTime = MaskTime::AfterSoftmax;
  const std::string pattern = "blocks.1.attn.hook_pattern", scores = "blocks.1.attn.hook_attn_scores";
  for (const ModelConfig& config : {linear, masked}) {
    const auto model = makeModel(config);
    const Trace read(randomTokens(6, 1));
    const Prediction of{4, 7};
    for (const Interventions& standing :
         {Interventions{{pattern, InterventionKind::Scale, {1, -1, -1, -1}, 0.5f}},
          Interventions{{pattern, InterventionKind::Add, {2, 4, 1, -1}, 0.75f},
                        {pattern, InterventionKind::Scale, {2, 4, 2, -1}, 3}},
          Interventions{{pattern, InterventionKind::Replace, {0, 4, 0, -1}, 0.5f},
                        {pattern, InterventionKind::Zero, {3, 4, -1, -1}}}}) {
      const ReplayedPass pass = backwardAgain("backward", model, read, standing, {{of, -1}, {}});
      const Opened opened = openedIn(pass, isSanitized ? 97 : 11);
      CHECK(opened.told == opened.all);
      REQUIRE(pass.measured->contains(gradientName(scores)));
      const TensorView gradient = (*pass.measured)[gradientName(scores)];
      double most = 0;
      for (int h = 0; h < 4; ++h)
        for (int s = 0; s < 5; ++s) {
          INFO("head " << h << ", key " << s);
          const double measured = slopeOfScore(model, read, standing, scores, {h, 4, s}, of);
          CHECK(std::abs(static_cast<double>(gradient(h, 4, s)) - measured) <
                2e-3 * (0.05 + std::abs(measured)));
          most = std::max(most, std::abs(measured));
        }
      CHECK(most > 1e-3);
    }
  }
}

TEST_CASE("the gradient of a loss begins at p − 1 for what comes, and at p for what does not") {
  const auto model = makeModel(smallConfig());
  const Trace read(randomTokens(5, 2));
  std::vector<int> targets(read.tokens().begin() + 1, read.tokens().end());
  targets.push_back(Targets::none);
  const ReplayedPass pass = backwardAgain("backward", model, read, {}, {{}, targets});
  const Opened opened = openedIn(pass, isSanitized ? 97 : 11);
  CHECK(opened.told == opened.all);
}

TEST_CASE("of every model that ships all gradients open") {
  int models = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(SOURCE_FOLDER) + "/assets/models")) {
    if (entry.path().filename() != "config.json") continue;
    INFO(entry.path());
    const auto shipped = readModelDirectory(entry.path().parent_path());
    REQUIRE(shipped);
    const ModelConfig& config = shipped->config;
    const auto model = std::make_shared<const Transformer>(config, shipped->parameters);
    const auto known = [&](std::vector<int> tokens) {
      for (int& token : tokens) token %= config.vocabulary;
      return tokens;
    };
    const Trace read(known(randomTokens(6, 1)), known(randomTokens(config.isEncoderDecoder() ? 5 : 0, 2)));
    const ReplayedPass pass = backwardAgain("backward", model, read, {}, {{{4, 1}, -1}, {}});
    const Opened opened = openedIn(pass, isSanitized ? 1997 : 97);
    CHECK(opened.told == opened.all);
    CHECK(opened.all > 0);
    ++models;
  }
  CHECK(models == 15);
}

TEST_CASE("of every kind of model all gradients open, and none says what it is not") {
  if (isSanitized) return;  // every member of the family
  forEachMember([&](const ModelConfig& config) {
    const auto model = makeModel(config);
    const Trace read(randomTokens(5, 1), randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    const ReplayedPass pass = backwardAgain("backward", model, read, {}, {{{4, 7}, -1}, {}});
    const Opened opened = openedIn(pass, 151);
    CHECK(opened.all > 0);
    CHECK(opened.told == opened.all);
  });
}
