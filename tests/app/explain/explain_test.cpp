#include "app/explain/explain.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <set>

#include "app/drawing/scene_input.h"
#include "app/engine/counterfactual_search.h"
#include "app/engine/engine.h"
#include "app/engine/head_profile.h"
#include "app/explain/index_meaning.h"
#include "app/explain/provenance.h"
#include "app/views/views.h"
#include "tests/app/engine/latest_for.h"
#include "tests/sanitized.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Snapshot> explainedSnapshot(Workspace workspace) {
  workspace.text = "The cat sat on the mat.";
  return Answering([](const std::string& name,
                      const ProgressCallback&) -> Result<LoadedModel> { return makeSmallModel(name); },
                   1)(workspace);
}

std::shared_ptr<const Snapshot> answered(const Workspace& workspace, const FamilyMember& member) {
  return Answering([&](const std::string& name,
                       const ProgressCallback&) -> Result<LoadedModel> { return member.model(name); },
                   1)(workspace);
}

}  // namespace

TEST_CASE("the operands of every number in the trace give that number") {
  const auto snapshot = explainedSnapshot(initialWorkspace());
  REQUIRE(snapshot->pass->hasTrace());
  const TensorSources sources = sourcesOf(*snapshot);
  int explained = 0;
  for (int i = 0; i < snapshot->pass->trace->count(); ++i) {
    const TracePoint& point = snapshot->pass->trace->point(i);
    snapshot->pass->trace->tensor(i).forEach([&](const auto& index, float value) {
      Target target;
      target.cell.tensor = point.name;
      for (std::size_t d = 0; d < point.letters.size(); ++d) target.cell.index[d] = index[d];
      const auto explanation = explain(*snapshot, target);
      INFO(point.name << " " << value);
      REQUIRE(explanation);
      REQUIRE(explanation->result);
      ++explained;
      if (std::isfinite(value)) CHECK(std::abs(*explanation->result - value) < 1e-4f * (1 + std::abs(value)));
      if (explanation->overridden) FAIL_CHECK("no intervention acted here");
    });
  }
  CHECK(explained > 7000);
}

TEST_CASE("the operands of every number give that number on every member of the family") {
  std::vector<FamilyMember> members = familyMembers();
  for (const auto& [id, value] :
       std::vector<std::pair<std::string, std::string>>{{"similarity", "shared"},
                                                        {"similarity", "plain"},
                                                        {"attention_kernel", "argmax"},
                                                        {"attention_kernel", "linear"},
                                                        {"attention_kernel", "distance"},
                                                        {"readout", "one_matrix"},
                                                        {"mask", "prefix"},
                                                        {"mask", "window"},
                                                        {"mask_time", "after_softmax"},
                                                        {"n_head_kv", "2"},
                                                        {"norm_placement", "residual"},
                                                        {"position_embedding_type", "alibi"},
                                                        {"position_embedding_type", "relative"},
                                                        {"scale_attn_weights", "no"}})
    for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderDecoder}) {
      std::vector<std::pair<std::string, std::string>> settings{{id, value}};
      if (id == "mask") settings.push_back({"mask_size", "3"});
      FamilyMember member{id + " " + value, choosing(stack, settings)};
      if (stack == Stack::EncoderDecoder) member.source = "The cat was warm.";
      member.text = "The street was";
      members.push_back(std::move(member));
    }
  for (const FamilyMember& member : members) {
    Workspace workspace;
    workspace.text = member.text, workspace.source = member.source;
    const auto snapshot = answered(workspace, member);
    INFO(member.name << " " << snapshot->standing.error);
    REQUIRE(snapshot->pass->hasTrace());
    int explained = 0;
    for (const TensorSet* set :
         {static_cast<const TensorSet*>(snapshot->pass->trace.get()), snapshot->pass->measurements.get()})
      for (int i = 0; i < set->count(); ++i) {
        const TracePoint& point = set->point(i);
        std::string fault;
        int cell = 0;
        set->tensor(i).forEach([&](const auto& index, float value) {
          if (isSanitized && cell++ % 7 != 0) return;
          Target target;
          target.cell = {point.name, index};
          const auto explanation = explain(*snapshot, target);
          if (!explanation || !explanation->result) return;
          ++explained;
          const bool agrees = std::isfinite(value)
                                  ? std::abs(*explanation->result - value) < 1e-4f * (1 + std::abs(value))
                                  : !explanation->overridden;
          if (!agrees && fault.empty()) fault = point.name + ": " + explanation->lines.front();
        });
        CHECK(fault == "");
      }
    CHECK(explained > times(1000));
  }
}

TEST_CASE("the operands of what is measured in the encoder give those numbers") {
  for (const FamilyMember& member : familyMembers()) {
    if (member.source.empty()) continue;
    for (const auto& [picture, measured] : {std::pair{"cosine", "lens.encoder.residual_cosine"},
                                            std::pair{"scales", "lens.encoder.norm_scale"}}) {
      Workspace workspace;
      workspace.text = member.text, workspace.source = member.source;
      workspace.view = "residual", workspace.settings.pictures["residual"] = picture;
      workspace.selection.site = AttentionSite::Encoder;
      const auto snapshot = answered(workspace, member);
      REQUIRE(snapshot->pass->measurements);
      for (const std::string name : {"lens.encoder.residual_norm", "lens.encoder.attention_norm", measured}) {
        INFO(member.name << " " << name);
        REQUIRE(snapshot->pass->measurements->contains(name));
        (*snapshot->pass->measurements)[name].forEach([&](const auto& index, float value) {
          if (!std::isfinite(value)) return;  // no norm there
          const auto explanation = explain(*snapshot, {.cell = {name, index}});
          REQUIRE(explanation);
          REQUIRE(explanation->result);
          REQUIRE(std::abs(*explanation->result - value) < 1e-4f * (1 + std::abs(value)));
        });
      }
    }
  }
}

TEST_CASE("a share of attention is shown as its exponential over their sum") {
  const auto snapshot = explainedSnapshot(initialWorkspace());
  Target target;
  target.cell = {"blocks.0.attn.hook_pattern", {1, 0, 0}};
  const auto explanation = explain(*snapshot, target);
  REQUIRE(explanation);
  CHECK(explanation->lines.front().find("exp(") != std::string::npos);
  CHECK(explanation->lines.back().ends_with("= 1.000"));  // the first token sees only itself
}

TEST_CASE("a number that an intervention changed is said to be changed") {
  Workspace workspace = initialWorkspace();
  workspace.interventions = {
      {.point = "blocks.1.attn.hook_pattern", .kind = InterventionKind::Zero, .index = {2, 3, 1, -1}}};
  const auto snapshot = explainedSnapshot(workspace);
  Target target;
  target.cell = {"blocks.1.attn.hook_pattern", {2, 3, 1}};
  REQUIRE(explain(*snapshot, target));
  CHECK(explain(*snapshot, target)->overridden);
  target.cell.index = {2, 3, 0};
  CHECK_FALSE(explain(*snapshot, target)->overridden);
}

TEST_CASE("scores, what a head moves and differences of heads are explained by the head they name") {
  Workspace workspace = initialWorkspace();
  workspace.view = "attention";
  workspace.selection.layer = 1, workspace.selection.head = 3;
  AttentionSettings& settings = workspace.settings.attention;
  workspace.settings.pictures["attention"] = "two heads", settings.other = {0, 2};
  for (const auto& [pair, names] :
       {std::pair{AttentionPair::Patterns,
                  std::vector<std::string>{"lens.scores.L1H3", "lens.pattern.difference.L1H3.L0H2"}},
        std::pair{AttentionPair::Moved,
                  std::vector<std::string>{"lens.moved.L0H2", "lens.moved.difference.L1H3.L0H2"}}}) {
    settings.pair = pair;
    const auto snapshot = explainedSnapshot(workspace);
    for (const std::string& name : names) {
      INFO(name);
      const auto explanation = explain(*snapshot, {.cell = {name, {4, 2}}});
      REQUIRE(explanation);
      REQUIRE(explanation->result);
      CHECK_FALSE(explanation->overridden);
    }
  }
}

TEST_CASE("the operands of what single views measure give those numbers") {
  struct Case {
    const char* view;
    std::function<void(ViewSettings&)> set;
    std::vector<std::string> explained;
  };
  const std::vector<Case> cases{
      {"residual",
       [](ViewSettings& s) { s.pictures["residual"] = "cosine"; },
       {"lens.residual_cosine", "lens.residual_norm", "lens.attention_norm", "lens.mlp_norm"}},
      {"residual", [](ViewSettings& s) { s.pictures["residual"] = "scales"; }, {"lens.norm_scale"}},
      {"residual",
       [](ViewSettings& s) { s.pictures["residual"] = "geometry"; },
       {"lens.geometry", "lens.geometry_mean"}},
      {"residual",
       [](ViewSettings& s) {
         s.pictures["residual"] = "contributions", s.residual.to = ContributionTo::FinalState;
       },
       {"lens.contribution", "lens.contribution_norm"}},
      {"residual",
       [](ViewSettings& s) {
         s.pictures["residual"] = "contributions", s.residual = {ContributionTo::CentredLogit, 9};
       },
       {"lens.centred_attribution.9", "lens.centred_logit.9"}},
      {"residual",
       [](ViewSettings& s) {
         s.pictures["residual"] = "contributions", s.residual = {ContributionTo::Logit, 9};
       },
       {"lens.logit_attribution.9"}},
      {"next_token",
       [](ViewSettings& s) { s.pictures["next_token"] = "text"; },
       {"lens.surprise", "lens.top_probability"}},
      {"next_token", [](ViewSettings& s) { s.pictures["next_token"] = "lens"; }, {"lens.grid_probability"}},
      {"influence", [](ViewSettings&) {}, {"lens.influence", "lens.influence_by_input"}},
      {"influence",
       [](ViewSettings& s) { s.pictures["influence"] = "distance"; },
       {"lens.influence_by_distance"}},
      {"positions",
       [](ViewSettings& s) {
         s.pictures["positions"] = "differences", s.positions = {PositionTable::Model, false, {}, 4};
       },
       {"positions.model_difference.4", "positions.sinusoidal_difference_norm.4", "positions.model_dot",
        "positions.sinusoidal_similarity"}},
      {"positions", [](ViewSettings& s) { s.pictures["positions"] = "scores"; }, {"lens.other_scores.L0H0"}},
      {"positions",
       [](ViewSettings& s) { s.pictures["positions"] = "shuffle"; },
       {"lens.shuffle_norm", "lens.shuffle_total"}},
      {"influence",
       [](ViewSettings& s) { s.pictures["influence"] = "gradients"; },
       {"lens.gradient_norm_q", "lens.gradient_norm_k", "lens.gradient_norm_v"}},
      {"attention",
       [](ViewSettings& s) { s.pictures["attention"] = "softmax"; },
       {"lens.softmax_surface", "lens.softmax_share", "lens.softmax_of_row", "lens.softmax_both"}},
      {"tokens", [](ViewSettings& s) { s.pictures["tokens"] = "unembedding"; }, {"unembedding.cosine"}}};
  for (const Case& c : cases) {
    Workspace workspace = initialWorkspace();
    workspace.view = c.view;
    c.set(workspace.settings);
    const auto snapshot = explainedSnapshot(workspace);
    const TensorSources sources = sourcesOf(*snapshot);
    for (const std::string& name : c.explained) {
      const auto tensor = sources.find(name);
      INFO(name);
      REQUIRE(tensor);
      int explained = 0;
      tensor->forEach([&](const auto& index, float) {
        if (explained == 200) return;
        const auto explanation = explain(*snapshot, {.cell = {name, index}});
        if (!explanation || !explanation->result) return;
        ++explained;
        CHECK_FALSE(explanation->overridden);
      });
      CHECK(explained > 0);
    }
  }
}

TEST_CASE("what a head adds to a logit opens into its z, a bias into b_O, and β and b_U into weights") {
  Workspace workspace = initialWorkspace();
  workspace.view = "residual", workspace.settings.pictures["residual"] = "contributions";
  workspace.settings.residual = {ContributionTo::Logit, 9};
  const auto snapshot = explainedSnapshot(workspace);
  const TensorSources sources = sourcesOf(*snapshot);
  const TensorView added = *sources.find("lens.logit_attribution.9");
  std::set<std::string> operands;
  for (int part = 0; part < added.extent[1]; ++part) {
    const auto provenance = provenanceOf(sources, {"lens.logit_attribution.9", {4, part}});
    REQUIRE(provenance);
    CHECK(provenance->derivation.value() == Catch::Approx(added(4, part)).epsilon(1e-4).margin(1e-5));
    operands.insert(operandsOf(sources, provenance->derivation.terms.front()).front().cell.tensor);
  }
  for (const char* name : {"hook_embed", "hook_pos_embed", "blocks.1.attn.hook_z", "h.1.attn.c_proj.bias",
                           "blocks.0.hook_mlp_out", "ln_f.bias"}) {
    INFO(name);
    CHECK(operands.contains(name));
  }
}

TEST_CASE("a hypothesis of the beam opens into the one before and its token, down to its probability") {
  const auto snapshot = explainedSnapshot(initialWorkspace());
  const TensorSources sources = sourcesOf(*snapshot);
  const int nodes = sources.find("beam.score")->extent[0];
  REQUIRE(nodes > 5);
  for (const char* name : {"beam.score", "beam.cumulative", "beam.log_probability"})
    for (int node = 1; node < nodes; ++node) {
      INFO(name << " of node " << node);
      const auto explanation = explain(*snapshot, {.cell = {name, {node}}});
      REQUIRE(explanation);
      CHECK_FALSE(explanation->overridden);
    }
  CHECK(explain(*snapshot, {.cell = {"beam.log_probability", {1}}})->lines.front().starts_with("= ln("));
  const auto provenance = provenanceOf(sources, {"beam.cumulative", {1}});
  REQUIRE(provenance);
  for (const Term& term : provenance->derivation.terms)
    CHECK(operandOf(sources, term.factor).cell.tensor.starts_with("beam."));
}

TEST_CASE("each number of a running state is explained by the state before and the token that came") {
  Workspace workspace = initialWorkspace();
  workspace.view = "step", workspace.settings.pictures["step"] = "state";
  workspace.changes = {{"attention_kernel", "linear"}};
  const auto snapshot = explainedSnapshot(workspace);
  for (const char* name : {"lens.linear_state.L0H0", "lens.linear_sum.L0H0", "lens.linear_out.L0H0"})
    for (const int t : {0, 3}) {
      INFO(name << " " << t);
      const auto explanation = explain(*snapshot, {.cell = {name, {t, 1, 2}}});
      REQUIRE(explanation);
      REQUIRE(explanation->result);
      CHECK_FALSE(explanation->overridden);
    }
}

TEST_CASE("what comes off weights is explained by their numbers") {
  const auto snapshot = explainedSnapshot(initialWorkspace());
  const auto explanation = explain(*snapshot, {.cell = {"blocks.0.attn.hook_q", {2, 0, 0}}});
  REQUIRE(explanation);
  CHECK(explanation->lines.front().find(" · ") != std::string::npos);
  CHECK(explanation->lines.front().find("smaller ones") != std::string::npos);
  const auto norm = explain(*snapshot, {.cell = {"blocks.0.ln1.hook_normalized", {2, 1}}});
  REQUIRE(norm);
  CHECK(norm->lines.front().find("γ") == std::string::npos);
  CHECK(norm->lines.front().find(" / ") != std::string::npos);
  CHECK_FALSE(explain(*snapshot, {.cell = {"no such tensor", {}}}));
}

TEST_CASE("what a weight's dimensions count is told as what they are, not as steps of decoding") {
  const auto snapshot = explainedSnapshot(initialWorkspace());
  REQUIRE(snapshot->pass->hasTrace());
  REQUIRE_FALSE(snapshot->decoded->continuation.empty());
  const TensorSet& weights = *snapshot->pass->trace->weights();
  const auto meaning = [&](const char* name, int dimension, int i) {
    return indexMeaning(*snapshot, weights.point(weights.find(name)), dimension, i);
  };
  CHECK(meaning("h.0.mlp.c_fc.weight", 0, 1) == std::pair<std::string, std::string>("row", "1"));
  CHECK(meaning("h.0.mlp.c_fc.weight", 1, 2) == std::pair<std::string, std::string>("column", "2"));
  CHECK(meaning("h.0.mlp.c_fc.bias", 0, 0) == std::pair<std::string, std::string>("column", "0"));
  CHECK(meaning("wte.weight", 0, 3).first == "token");
  CHECK(meaning("wte.weight", 0, 3).second.find(snapshot->model->entryLabel(3)) != std::string::npos);
  CHECK(meaning("wpe.weight", 0, 0) == std::pair<std::string, std::string>("position", "0"));
  CHECK(meaning("wpe.weight", 1, 2) == std::pair<std::string, std::string>("dimension", "2"));
}

TEST_CASE("what a smallest change does is told by its columns, and how a head came about by its steps") {
  Workspace workspace = initialWorkspace();
  auto snapshot = std::make_shared<Snapshot>(*explainedSnapshot(workspace));
  auto measured = std::make_shared<TensorSet>();
  measured->add({changes::replacementP, "YZ", "", ""}, Tensor({2, changes::probabilities}));
  measured->add({biography::agreement, "YZ", "", ""}, Tensor({1, 2}));
  measured->add({biography::steps, "Z", "", ""}, Tensor({2}, {0, 40}));
  snapshot->kept.measured = measured;
  const auto meaning = [&](const char* name, int dimension, int i) {
    return indexMeaning(*snapshot, measured->point(measured->find(name)), dimension, i);
  };
  using Said = std::pair<std::string, std::string>;
  CHECK(meaning(changes::replacementP, 0, 1) == Said("listed", "1"));
  CHECK(meaning(changes::replacementP, 1, changes::newAfter) == Said("of", "new prediction, after"));
  CHECK(meaning(biography::agreement, 0, 0) == Said("rule", benchRules().front().id));
  CHECK(meaning(biography::agreement, 1, 1) == Said("after step", "40"));
}

TEST_CASE("a sum of hundreds of terms is told by its largest") {
  Workspace workspace = initialWorkspace();
  workspace.view = "residual", workspace.settings.pictures["residual"] = "geometry";
  const auto snapshot = explainedSnapshot(workspace);
  Target target;
  target.cell = {.tensor = "lens.geometry", .index = {2, 0}};
  const auto explanation = explain(*snapshot, target);
  REQUIRE(explanation);
  REQUIRE(explanation->lines.size() == 1);
  CHECK(explanation->lines.front().find(" smaller ones") != std::string::npos);
  CHECK(explanation->lines.front().size() < 160);
  CHECK(std::abs(*explanation->result - *valueOf(sourcesOf(*snapshot), target.cell)) < 1e-3f);
}
