// What the parts of the residual stream contribute, against PyTorch's logits and against sums worked out the
// slow way.
#include "core/lens/contributions.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/model/positional/none.h"
#include "tests/core/lens/reference_pass.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// Trained-like weights: every bias and gain is away from 0 and 1.
const char* const fixtures[] = {"transformer_gelu.safetensors", "transformer_relu.safetensors"};

int partCount(const Transformer& model) { return static_cast<int>(contributionParts(model).size()); }

// Dimension d of what a part adds for token t, term by term.
double partSlowly(const ReferencePass& f, int part, int t, int d) {
  using Kind = ContributionPart::Kind;
  const auto [kind, head] = contributionParts(*f.model)[static_cast<std::size_t>(part)];
  const std::string block = "blocks." + std::to_string(head.layer) + ".",
                    weights = "h." + std::to_string(head.layer) + ".attn.c_proj.";
  if (kind == Kind::Embedding) return (*f.trace)["hook_embed"](t, d);
  if (kind == Kind::Position) return (*f.trace)["hook_pos_embed"](t, d);
  if (kind == Kind::Mlp) return (*f.trace)[block + "hook_mlp_out"](t, d);
  if (kind == Kind::OutputBias) return f.model->parameters()[weights + "bias"](d);
  const TensorView z = (*f.trace)[block + "attn.hook_z"], output = f.model->parameters()[weights + "weight"];
  const int K = f.model->config().headWidth();
  double sum = 0;
  for (int k = 0; k < K; ++k) sum += static_cast<double>(z(t, head.head, k)) * output(head.head * K + k, d);
  return sum;
}

}  // namespace

TEST_CASE("the parts' contributions to a logit sum to PyTorch's logit") {
  for (const char* file : fixtures) {
    const ReferencePass f(file);
    const auto logits = f.reference.values("trace.logits");
    const int V = f.model->config().vocabulary;
    for (const int entry : {0, 7, V - 1}) {
      TensorSet set;
      measureLogitAttribution(*f.model, *f.trace, entry, set);
      const TensorView added = set[logitAttributionOf(entry)];
      REQUIRE(added.extent[1] == partCount(*f.model) + 1);
      for (int t = 0; t < 9; ++t) {
        double sum = 0;
        for (int part = 0; part < added.extent[1]; ++part) sum += added(t, part);
        INFO(file << ", entry " << entry << ", token " << t);
        CHECK(sum == Approx(logits[static_cast<std::size_t>(t * V + entry)]).epsilon(1e-4).margin(1e-5));
      }
    }
  }
}

TEST_CASE("centred, the parts' contributions sum to PyTorch's logit less the mean of its logits") {
  for (const char* file : fixtures) {
    const ReferencePass f(file);
    const auto logits = f.reference.values("trace.logits");
    const int V = f.model->config().vocabulary, entry = 7;
    TensorSet set;
    measureLogitAttribution(*f.model, *f.trace, entry, set, noProgress, LogitBase::Centred);
    const TensorView added = set[logitAttributionOf(entry, LogitBase::Centred)];
    for (int t = 0; t < 9; ++t) {
      double sum = 0, mean = 0;
      for (int part = 0; part < added.extent[1]; ++part) sum += added(t, part);
      for (int v = 0; v < V; ++v) mean += logits[static_cast<std::size_t>(t * V + v)] / V;
      INFO(file << ", token " << t);
      CHECK(sum == Approx(logits[static_cast<std::size_t>(t * V + entry)] - mean).epsilon(1e-4).margin(1e-5));
    }
  }
}

// What is added to every logit alike is none of them's.
TEST_CASE("centred contributions of a part sum to 0 over the vocabulary") {
  const ReferencePass f(fixtures[0]);
  const int V = f.model->config().vocabulary;
  std::vector<double> raw(static_cast<std::size_t>(partCount(*f.model) + 1)), centred = raw;
  for (int entry = 0; entry < V; ++entry)
    for (const LogitBase base : {LogitBase::Raw, LogitBase::Centred}) {
      TensorSet set;
      measureLogitAttribution(*f.model, *f.trace, entry, set, noProgress, base);
      for (std::size_t m = 0; m < raw.size(); ++m)
        (base == LogitBase::Raw ? raw : centred)[m] +=
            set[logitAttributionOf(entry, base)](5, static_cast<int>(m));
    }
  for (const double sum : centred) CHECK(sum == Approx(0).margin(1e-3));
  CHECK(std::ranges::any_of(raw, [](double sum) { return std::abs(sum) > 0.1; }));
}

TEST_CASE("what parts add to the tokens that come next is the mean of what they add to each one's logit") {
  const ReferencePass f(fixtures[0]);
  const std::vector<float> all = contributionsToNext(*f.model, *f.trace);
  REQUIRE(static_cast<int>(all.size()) == partCount(*f.model));
  const int places = f.trace->tokenCount() - 1;
  std::vector<double> slowly(all.size());
  for (int t = 0; t < places; ++t) {
    const int next = f.trace->tokens()[static_cast<std::size_t>(t) + 1];
    TensorSet set;
    measureLogitAttribution(*f.model, *f.trace, next, set);
    for (std::size_t m = 0; m < all.size(); ++m)
      slowly[m] += set[logitAttributionOf(next)](t, static_cast<int>(m)) / places;
  }
  for (std::size_t m = 0; m < all.size(); ++m) CHECK(all[m] == Approx(slowly[m]).epsilon(1e-4).margin(1e-6));
  CHECK(contributionsToNext(*f.model, *LivePass(f.model).run(std::vector{3}, {})).empty());
}

TEST_CASE("with parts switched off the contributions sum to the logit that is left") {
  const ReferencePass f(fixtures[0]);
  Intervention head, attention, mlp;
  head.point = "blocks.0.attn.hook_z", head.index[1] = 1;
  attention.point = "blocks.1.hook_attn_out";
  mlp.point = "blocks.0.hook_mlp_out";
  const auto trace = LivePass(f.model).run(f.trace->tokens(), {head, attention, mlp});
  TensorSet set;
  measureLogitAttribution(*f.model, *trace, 4, set);
  const TensorView added = set[logitAttributionOf(4)];
  const auto parts = contributionParts(*f.model);
  using Kind = ContributionPart::Kind;
  for (int t = 0; t < 9; ++t) {
    double sum = 0;
    for (int part = 0; part < added.extent[1]; ++part) sum += added(t, part);
    CHECK(sum == Approx((*trace)["logits"](t, 4)).epsilon(1e-4).margin(1e-5));
    for (const ContributionPart& off :
         {ContributionPart{Kind::Head, {0, 1}}, ContributionPart{Kind::Head, {1, 0}},
          ContributionPart{Kind::OutputBias, {1, 0}}, ContributionPart{Kind::Mlp, {0, 0}}})
      CHECK(added(t, static_cast<int>(std::ranges::find(parts, off) - parts.begin())) ==
            Approx(0).margin(1e-6));
  }
}

TEST_CASE("one part's contribution to a logit is its own vector through the frozen norm") {
  const ReferencePass f(fixtures[0]);
  const int entry = 11, D = f.model->config().width;
  TensorSet set;
  measureLogitAttribution(*f.model, *f.trace, entry, set);
  const TensorView gamma = f.model->parameters()["ln_f.weight"], sigma = (*f.trace)["ln_final.hook_scale"];
  for (int part = 0; part < partCount(*f.model); ++part)
    for (const int t : {0, 5}) {
      double mean = 0, logit = 0;
      for (int d = 0; d < D; ++d) mean += partSlowly(f, part, t, d) / D;
      for (int d = 0; d < D; ++d)
        logit +=
            gamma(d) * (partSlowly(f, part, t, d) - mean) / sigma(t, 0) * f.model->unembedding()(entry, d);
      INFO(nameOf(contributionParts(*f.model)[static_cast<std::size_t>(part)]));
      CHECK(set[logitAttributionOf(entry)](t, part) == Approx(logit).epsilon(1e-4).margin(1e-5));
    }
}

TEST_CASE("shares of the final state are projections and sum to 1; lengths are lengths") {
  const ReferencePass f(fixtures[1]);
  const ModelConfig& config = f.model->config();
  TensorSet set;
  measureContributions(*f.model, *f.trace, set);
  const TensorView shares = set["lens.contribution"], norms = set["lens.contribution_norm"],
                   x = (*f.trace)["blocks.1.hook_resid_post"];
  for (const int t : {0, 3, 8}) {
    double all = 0, length = 0;
    for (int d = 0; d < config.width; ++d) length += static_cast<double>(x(t, d)) * x(t, d);
    for (int part = 0; part < partCount(*f.model); ++part) {
      double along = 0, square = 0;
      for (int d = 0; d < config.width; ++d) {
        const double value = partSlowly(f, part, t, d);
        along += value * x(t, d), square += value * value;
      }
      CHECK(shares(t, part) == Approx(along / length).epsilon(1e-4).margin(1e-6));
      CHECK(norms(t, part) == Approx(std::sqrt(square)).epsilon(1e-4));
      all += shares(t, part);
    }
    CHECK(all == Approx(1).epsilon(1e-4));
  }
}

TEST_CASE("parts are counted in the order in which the forward pass adds them") {
  const ModelConfig config{.layers = 2, .heads = 3, .width = 12, .feedForward = 8, .vocabulary = 5};
  std::string names;
  for (const ContributionPart& part : contributionParts(*makeModel(config))) names += nameOf(part) + ", ";
  CHECK(names == "embedding, position, L0H0, L0H1, L0H2, L0 b_O, L0 MLP, L1H0, L1H1, L1H2, L1 b_O, L1 MLP, ");
  ModelConfig reading{.layers = 1, .heads = 2, .width = 12, .feedForward = 8, .vocabulary = 5};
  reading.stack = Stack::EncoderDecoder, reading.positions = &noPositions();
  names = "";
  for (const ContributionPart& part : contributionParts(*makeModel(reading))) names += nameOf(part) + ", ";
  CHECK(names == "embedding, dec.L0H0, dec.L0H1, dec.L0 b_O, cross.L0H0, cross.L0H1, cross.L0 b_O, L0 MLP, ");
}

TEST_CASE("the likeliest entry has the largest logit") {
  const ReferencePass f(fixtures[0]);
  const TensorView logits = (*f.trace)["logits"];
  const int best = likeliestEntry(*f.trace, 4);
  for (int v = 0; v < f.model->config().vocabulary; ++v) CHECK(logits(4, v) <= logits(4, best));
}
