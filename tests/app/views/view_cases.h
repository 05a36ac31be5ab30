#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/document/steps.h"
#include "app/document/watched_weight.h"
#include "app/document/word_settings.h"
#include "app/drawing/compared_side.h"
#include "app/engine/training.h"
#include "app/views/views.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/views/plain_metrics.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/sanitized.h"
#include "tests/small_model.h"

namespace glassformer {

/// Answers with a small random model.
inline Answering withSmallModel(int layers = 3, int heads = 4) {
  return Answering([=](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, layers, heads, 128);
  });
}

/// Answers with that model, which must outlive it.
inline Answering withMember(const FamilyMember& member) {
  return Answering([&](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return member.model(name);
  });
}

/// What the engine publishes for a workspace, with a small random model.
inline std::shared_ptr<const Snapshot> snapshotOf(const Workspace& workspace, int layers = 3, int heads = 4) {
  return withSmallModel(layers, heads)(workspace);
}

struct ViewCase {
  std::string name;
  const SceneInput& input;
  Scene scene;
};

/// A way to set up a view.
struct ViewSetting {
  std::string name;
  std::function<void(Workspace&)> apply;
};

/// Every picture of the attention view with everything that can be chosen in it.
inline std::vector<ViewSetting> attentionSettings() {
  std::vector<ViewSetting> all;
  const auto add = [&](std::string name, std::function<void(AttentionSettings&)> change,
                       const char* picture = "matrix") {
    all.push_back({std::move(name), [picture, change = std::move(change)](Workspace& w) {
                     w.settings.pictures["attention"] = picture;
                     change(w.settings.attention);
                   }});
  };
  for (const AttentionStage stage :
       {AttentionStage::Scores, AttentionStage::Masked, AttentionStage::Pattern, AttentionStage::Moved})
    add("stage " + std::to_string(static_cast<int>(stage)), [=](AttentionSettings& s) { s.stage = stage; });
  add("average of a set", [](AttentionSettings& s) {
    s.fold = HeadFold::Average, s.heads = {{0, 0}, {0, 1}, {2, 3}, {40, 2}};
  });
  add("maximum of a block",
      [](AttentionSettings& s) { s.fold = HeadFold::Maximum, s.stage = AttentionStage::Moved; });
  add("focused first, normalized",
      [](AttentionSettings& s) { s.moreShown = s.normalized = true, s.order = RowOrder::Focus; });
  add("zoomed, by key", [](AttentionSettings& s) {
    s.moreShown = true, s.order = RowOrder::Key, s.stage = AttentionStage::Moved, s.window = {5, 2, 9};
  });
  add("zoomed", [](AttentionSettings& s) { s.window = {40, 37, 24}; });
  add(
      "sentence", [](AttentionSettings&) {}, "sentence");
  add(
      "sentence, moved on average",
      [](AttentionSettings& s) { s.fold = HeadFold::Average, s.stage = AttentionStage::Moved; }, "sentence");
  add(
      "arcs", [](AttentionSettings& s) { s.leastPercent = 1; }, "arcs");
  add(
      "arcs of a set, zoomed",
      [](AttentionSettings& s) {
        s.heads = {{0, 0}, {1, 1}, {1, 2}, {2, 3}}, s.window = {3, 3, 20}, s.stage = AttentionStage::Moved;
      },
      "arcs");
  add(
      "arcs, the matrix zoomed beside its diagonal",
      [](AttentionSettings& s) {
        s.leastPercent = 1, s.window = {6, 1, 5};
      },
      "arcs");
  for (const AttentionPair pair : {AttentionPair::Patterns, AttentionPair::Moved, AttentionPair::OneHead})
    add(
        "two heads " + std::to_string(static_cast<int>(pair)),
        [=](AttentionSettings& s) {
          s.pair = pair, s.other = {0, 3};
        },
        "two heads");
  return all;
}

/// Every picture of the views of residual stream, next token and positions, with what can be chosen in it.
inline std::vector<ViewSetting> residualSettings() {
  std::vector<ViewSetting> all;
  const auto add = [&](const char* name, const char* picture, ResidualSettings settings = {}) {
    all.push_back({name, [=](Workspace& w) {
                     w.settings.pictures["residual"] = picture, w.settings.residual = settings;
                   }});
  };
  add("norms", "norms");
  add("cosine", "cosine");
  add("shares", "contributions", {ContributionTo::FinalState});
  add("lengths", "contributions", {ContributionTo::Length});
  add("logit", "contributions", {ContributionTo::Logit});
  add("chosen logit", "contributions", {ContributionTo::Logit, 17});
  add("centered logit", "contributions", {ContributionTo::CentredLogit});
  add("scales", "scales");
  return all;
}

inline std::vector<ViewSetting> nextTokenSettings() {
  std::vector<ViewSetting> all;
  const auto add = [&](const char* name, const char* picture, NextTokenSettings settings = {}) {
    all.push_back({name, [=](Workspace& w) {
                     w.settings.pictures["next_token"] = picture, w.settings.nextToken = settings;
                   }});
  };
  add("distribution", "distribution");
  add("text", "text");
  add("shifted", "shifted");
  add("shifted, zoomed", "shifted", {{5, 5, 9}});
  add("text, zoomed", "text", {{5, 5, 9}});
  add("lens", "lens");
  add("lens, zoomed", "lens", {{40, 40, 14}});
  return all;
}

inline std::vector<ViewSetting> positionsSettings() {
  std::vector<ViewSetting> all;
  const auto add = [&](const char* name, const char* picture, PositionsSettings settings = {}) {
    all.push_back({name, [=](Workspace& w) {
                     w.settings.pictures["positions"] = picture, w.settings.positions = settings;
                   }});
  };
  add("encoding", "encoding");
  add("similarity", "similarity");
  add("dot product", "similarity", {PositionTable::Model, true});
  add("curves", "curves");
  add("curves of sinusoids", "curves", {PositionTable::Sinusoidal, false, {0, 1, 2, 3, 4, 5}});
  add("phasors", "phasors");
  add("phasors of sinusoids", "phasors", {PositionTable::Sinusoidal, false, {0, 1, 2, 3, 4, 5}});
  add("difference", "differences");
  add("difference of 16", "differences", {PositionTable::Model, false, {}, 16});
  add("shift", "shift");
  add("shift of sinusoids by 3", "shift", {PositionTable::Sinusoidal, false, {0, 1, 2}, 3});
  add("weighted shifts", "convolution", {PositionTable::Sinusoidal, false, {}, 1, 100});
  add("scores", "scores");
  return all;
}

inline std::vector<ViewSetting> influenceSettings() {
  std::vector<ViewSetting> all;
  const auto add = [&](const char* name, const char* picture, InfluenceSettings settings = {}) {
    all.push_back({name, [=](Workspace& w) {
                     w.settings.pictures["influence"] = picture, w.settings.influence = settings;
                   }});
  };
  add("sentence", "sentence");
  add("sentence, signed", "sentence", {true});
  add("sentence, chosen logit", "sentence", {false, false, 17});
  add("matrix", "matrix");
  add("matrix, signed", "matrix", {true});
  add("distance", "distance");
  add("distance, logarithmic", "distance", {false, true});
  return all;
}

inline std::vector<ViewSetting> landscapeSettings() {
  std::vector<ViewSetting> all;
  const auto add = [&](const char* name, const char* picture, LandscapeSettings settings = {}) {
    settings.side = 5;
    all.push_back({name, [=](Workspace& w) {
                     w.settings.pictures["landscape"] = picture, w.settings.landscape = settings;
                   }});
  };
  add("surface", "surface");
  add("surface, logarithmic, from behind", "surface", {true, {-160, 25}});
  add("map", "map");
  add("map, logarithmic", "map", {true});
  return all;
}

inline std::vector<ViewSetting> costSettings() {
  std::vector<ViewSetting> all;
  for (const char* picture : {"mixing", "block"})
    all.push_back({picture, [picture](Workspace& w) {
                     w.settings.pictures["cost"] = picture, w.settings.choices["cost.tokens"] = "256";
                   }});
  return all;
}

/// Some steps as equations, and the other pictures of steps.
inline std::vector<ViewSetting> stepSettings() {
  std::vector<ViewSetting> all{{"embedding", [](Workspace& workspace) { workspace.step = "hook_embed"; }}};
  for (int setting = 0; setting < 3; ++setting)
    all.push_back({"step " + std::to_string(setting),
                   [=](Workspace& workspace) { workspace.step = std::to_string(3 + 17 + 4 * setting); }});
  for (const char* picture : {"walk", "lookup", "result"})
    all.push_back({picture, [=](Workspace& workspace) {
                     workspace.step = "20";
                     workspace.settings.pictures["step"] = picture;
                     workspace.settings.choices["step.temperature"] = "0.5";
                   }});
  return all;
}

inline std::vector<ViewSetting> settingsOf(const View& view) {
  const std::string id = view.id;
  if (id == "attention") return attentionSettings();
  if (id == "residual") return residualSettings();
  if (id == "next_token") return nextTokenSettings();
  if (id == "positions") return positionsSettings();
  if (id == "influence") return influenceSettings();
  if (id == "training") return {};  // see forEachTrainingView
  if (id == "landscape") return landscapeSettings();
  if (id == "cost") return costSettings();
  if (id == "step") return stepSettings();
  return {{"as it is", [](Workspace&) {}}};
}

/// Pictures that are looked at apart, with what can be chosen in them.
inline std::vector<ViewSetting> lonePictures() {
  using Choices = std::map<std::string, std::string>;
  std::vector<ViewSetting> all;
  const auto add = [&](const char* view, const char* picture, const ModelChanges& changes = {},
                       const Choices& choices = {}) {
    all.push_back({std::string(picture) + ", " + std::to_string(all.size()), [=](Workspace& w) {
                     w.view = view, w.settings.pictures[view] = picture, w.changes = changes;
                     for (const auto& [name, value] : choices) w.settings.choose(name, value);
                   }});
  };
  add("attention", "softmax");
  add("attention", "softmax", {},
      {{"attention.temperature", "0"},
       {"attention.softmax_angle", "-150 20"},
       {"attention.second_key", "0"}});
  add("attention", "softmax", {}, {{"attention.softmax_moved", "1.5 -0.5"}});
  add("attention", "softmax", {{"attention_kernel", "argmax"}});
  add("attention", "word");
  add("attention", "word", {}, {{wordRowChoice, "0"}});
  add("attention", "word", {}, {{wordRowChoice, "7"}});
  add("attention", "word", {{"attention_kernel", "linear"}});
  add("attention", "word", {{"attention_kernel", "argmax"}, {"position_embedding_type", "alibi"}});
  add("attention", "word", {{"attention_kernel", "distance"}});
  add("attention", "word", {{"mask_time", "after_softmax"}, {"position_embedding_type", "rotary"}});
  add("attention", "word", {{"readout", "rows"}, {"similarity", "plain"}});
  add("attention", "why");
  add("attention", "why", {}, {{"attention.score_order", "largest"}});
  add("attention", "why", {}, {{"attention.score_order", "blocks"}});
  add("attention", "why", {}, {{"attention.taken_apart", "output"}});
  add("attention", "why", {}, {{"attention.taken_apart", "output"}, {"attention.score_order", "largest"}});
  add("attention", "why", {}, {{"attention.taken_apart", "output"}, {"attention.score_order", "blocks"}});
  add("attention", "why", {{"attention_kernel", "linear"}}, {{"attention.taken_apart", "output"}});
  add("attention", "why", {{"norm_placement", "post"}}, {{"attention.taken_apart", "output"}});
  add("cost", "one by one");
  add("cost", "sizes");
  add("cost", "sizes", {}, {{"cost.text", "7"}, {"cost.source", "900"}, {"cost.width", "48"}});
  add("cost", "unrolled");
  add("cost", "unrolled", {{"mixing", "recurrence"}});
  add("cost", "unrolled", {}, {{"cost.beside", "recurrence"}, {"cost.wave", "3"}});
  add("influence", "gradients");
  add("influence", "gradients", {}, {{"influence.temperature", "0.2"}});
  add("influence", "gradients", {{"attention_kernel", "linear"}});
  add("influence", "matrix", {}, {{matrixChoice, leaksShown}});
  add("influence", "matrix", {{"mask", "window"}}, {{matrixChoice, leaksShown}});
  add("influence", "integrated");
  add("influence", "integrated", {},
      {{"influence.baseline", "5"}, {"influence.against", "9"}, {"influence.gradients", "16"}});
  add("influence", "smallest change", {}, {{"influence.changes_tried", "few"}});
  add("influence", "smallest change", {}, {{"influence.wanted", "9"}, {"influence.changes_tried", "few"}});
  add("positions", "filter",
      {{"attention_kernel", "distance"}, {"position_embedding_type", "none"}, {"open_border", "yes"}});
  add("positions", "filter", {{"attention_kernel", "distance"}, {"mask", "none"}});
  add("positions", "shuffle");
  add("tokens", "both ends");
  add("tokens", "cuts", {}, {{"tokens.merges", "5"}});
  add("tokens", "cuts", {}, {{"tokens.cuts", "learned here"}, {"tokens.merges", "3"}});
  add("positions", "shuffle", {{"position_embedding_type", "none"}, {"mask", "none"}},
      {{"positions.shuffle_seed", "7"}});
  add("positions", "bench");
  add("residual", "geometry");
  add("residual", "geometry", {}, {{"residual.place", "0"}});
  add("residual", "geometry", {}, {{"residual.vectors", "queries and keys"}});
  add("residual", "geometry", {}, {{"residual.dimensions", "3"}});
  add("residual", "geometry", {},
      {{"residual.dimensions", "3"},
       {"residual.geometry_angle", "-140 65"},
       {"residual.vectors", "queries and keys"}});
  add("residual", "geometry", {}, {{"residual.path", "all places"}, {"residual.place", "2"}});
  add("residual", "geometry", {}, {{"residual.path", "all places"}, {"residual.dimensions", "3"}});
  add("residual", "geometry", {}, {{"residual.place", "positions"}, {"residual.dimensions", "3"}});
  add("residual", "gradient");
  add("residual", "gradient", {},
      {{"residual.gradient_tokens", "one"}, {"residual.gradient_weights", "fresh"}});
  add("residual", "gradient", {{"residual", "no"}});
  add("residual", "neurons");
  add("residual", "neurons", {},
      {{"residual.neuron", "9"}, {"residual.neuron_order", "index"}, {"residual.corpus", "tabs"}});
  add("residual", "neurons", {{"activation_function", "swiglu"}});
  add("step", "state");
  add("step", "state", {{"attention_kernel", "linear"}, {"mask", "causal"}});
  add("step", "whole");
  add("step", "whole", {{"mixing", "recurrence"}});
  add("step", "whole", {{"parallel_residual", "yes"}});
  add("training", "schedule");
  add("training", "schedule", {}, {{"training.schedule_steps", "1500"}});
  add("tokens", "unembedding");
  add("tokens", "unembedding", {{"tie_word_embeddings", "no"}});
  return all;
}

/// How pictures are looked at: at which sizes, and whether with something under the pointer. Under sanitizers
/// one size is enough: what is read and written hardly depends on it.
struct PictureLook {
  Point size;
  bool isPointed;
};
inline std::vector<PictureLook> pictureLooks() {
  if (isSanitized) return {{{616, 512}, false}, {{616, 512}, true}};
  return {{{SceneInput::leastWidth, 512}, true}, {{616, 512}, false}, {{1296, 872}, true}};
}

/// Checks a view of a workspace in each of these looks.
inline void eachPicture(const View& view, const std::string& name, const Workspace& workspace,
                        const Snapshot& snapshot, const std::function<void(const ViewCase&)>& check) {
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  Target pointed;
  pointed.query = snapshot.pass->trace->tokenCount() - 1, pointed.key = 0, pointed.dimension = 3;
  for (const auto& [size, isPointed] : pictureLooks()) {
    const Target hover = isPointed ? pointed : Target{};
    const SceneInput input{workspace, snapshot, size, theme, metrics, hover};
    check({std::string(view.id) + " " + name + ", " + std::to_string(snapshot.pass->trace->tokenCount()) +
               " tokens, " + std::to_string(snapshot.model->config->layers) + " layers, " +
               std::to_string(static_cast<int>(size.x)) + " wide" + (hover.empty() ? "" : ", pointed"),
           input, view.scene(input)});
  }
}

/// Those of them that two texts have a difference of.
inline std::vector<ViewSetting> comparedLonePictures() {
  std::vector<ViewSetting> all = lonePictures();
  std::erase_if(all, [](const ViewSetting& setting) {
    return !setting.name.starts_with("geometry") && !setting.name.starts_with("neurons");
  });
  return all;
}

/// The same for the differences of two texts, which have tokens that the other does not, and of a text with
/// itself.
inline void forEachDifference(const std::function<void(const ViewCase&)>& check) {
  Answering answering = withSmallModel();
  const std::string sentence = initialWorkspace().text;
  for (const std::string& other : {std::string("The animal and the cat crossed it."), sentence})
    for (const View& view : views()) {
      std::vector<ViewSetting> settings = settingsOf(view);
      if (view.id == std::string_view("residual"))
        std::ranges::move(comparedLonePictures(), std::back_inserter(settings));
      for (const ViewSetting& setting : settings) {
        Workspace workspace = initialWorkspace();
        workspace.view = view.id;
        workspace.aside = {other};
        workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
        workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.query = 4;
        setting.apply(workspace);
        if (!asksForDifference(workspace)) continue;
        const auto snapshot = answering(workspace);
        const ComparedSide side(*snapshot, Target::Source::Difference);
        eachPicture(view, "difference, " + setting.name, side.seen(workspace), side.snapshot(), check);
      }
    }
}

/// Every view with texts of one, some and as many tokens as the model takes, models of one head, a few and
/// many, in a small and a large stage, with nothing and with something under the pointer, in each of its
/// settings.
inline void forEachView(const std::function<void(const ViewCase&)>& check) {
  std::string manyWords;
  for (int i = 0; i < 40; ++i) manyWords += "The animal didn't cross the street. ";
  const std::string sentence = initialWorkspace().text;
  struct Kind {
    std::string text;
    int layers, heads;
  };
  for (const Kind& kind : {Kind{"The", 3, 4}, Kind{sentence, 3, 4}, Kind{sentence, 1, 1},
                           Kind{sentence, 12, 12}, Kind{manyWords, 3, 4}}) {
    Answering answering = withSmallModel(kind.layers, kind.heads);
    for (const View& view : views())
      for (const ViewSetting& setting : settingsOf(view)) {
        Workspace workspace = initialWorkspace();
        workspace.text = kind.text;
        workspace.view = view.id;
        workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.dimension = 5;
        setting.apply(workspace);
        const auto snapshot = answering(workspace);
        eachPicture(view, setting.name, workspace, *snapshot, check);
      }
  }
}

/// The lone pictures of texts of one, some and as many tokens as the model takes, and of models that are
/// built differently: under sanitizers of the first few of them.
inline void forEachLonePicture(const std::function<void(const ViewCase&)>& check) {
  std::string manyWords;
  for (int i = 0; i < 40; ++i) manyWords += "The animal didn't cross the street. ";
  std::vector<FamilyMember> all{{"small", [](ModelConfig&) {}, "The"},
                                {"small", [](ModelConfig&) {}, initialWorkspace().text},
                                {"small", [](ModelConfig&) {}, manyWords}};
  std::vector<FamilyMember> members = familyMembers();
  members.resize(static_cast<std::size_t>(times(static_cast<int>(members.size()))));
  std::ranges::move(members, std::back_inserter(all));
  for (const FamilyMember& member : all) {
    Answering answering = withMember(member);
    for (const ViewSetting& setting : lonePictures()) {
      Workspace workspace;
      workspace.text = member.text, workspace.source = member.source;
      workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.dimension = 5;
      setting.apply(workspace);
      const auto snapshot = answering(workspace);
      if (snapshot->standing.error.empty() && snapshot->pass->hasTrace())
        eachPicture(viewOf(workspace.view), member.name + ", " + setting.name, workspace, *snapshot, check);
    }
  }
}

/// Every picture of a training run with another one beside it: as it ends, and in its past.
inline void forEachTrainingView(const std::function<void(const ViewCase&)>& check) {
  const TemporaryFolder folder;
  const auto training = std::make_shared<Training>(Training::Options{.folder = folder.path(), .threads = 1});
  TrainingPlan plan{.task = "copy", .steps = 30};
  plan.changes = {{"n_layer", "2"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  plan.two = true, plan.otherSchedule = noWarmup;
  Engine engine([](const std::string& name, const ProgressCallback&) { return makeSmallModel(name); }, [] {},
                neededFor, 1, training);
  Workspace workspace = initialWorkspace();
  workspace.view = "training", workspace.plan = plan, workspace.text = "ab>";
  workspace.model = training->begin(plan);
  training->finish();
  training->watch(watchedWeight(workspace, training->report()->side.config));
  training->finish();
  std::uint64_t revision = 0;
  for (const int at : {TrainingSettings::newest, 7})
    for (const Picture& picture : viewOf("training").pictures) {
      workspace.settings.pictures["training"] = picture.id, workspace.settings.training.at = at;
      engine.request(workspace, ++revision);
      engine.finish();
      eachPicture(viewOf("training"), std::string(picture.id) + ", at " + std::to_string(at), workspace,
                  *engine.latest(), check);
    }
}

/// Every view of models that are built differently: other stacks, each of their attentions, norms elsewhere,
/// other positions, parts left out.
inline void forEachMemberView(const std::function<void(const ViewCase&)>& check) {
  for (const FamilyMember& member : familyMembers()) {
    Answering answering = withMember(member);
    const auto look = [&](const View& view, const std::string& setting, const Workspace& workspace) {
      const auto snapshot = answering(workspace);
      eachPicture(view, member.name + ", " + setting, workspace, *snapshot, check);
      return snapshot;
    };
    for (const View& view : views()) {
      Workspace workspace;
      workspace.text = member.text, workspace.source = member.source, workspace.view = view.id;
      workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.dimension = 5;
      for (const ViewSetting& setting : settingsOf(view)) {
        std::vector<AttentionSite> sites{AttentionSite::Self};
        if (std::string(view.id) == "attention" && !member.source.empty())
          sites = {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
        for (const AttentionSite site : sites) {
          Workspace w = workspace;
          w.selection.site = site;
          setting.apply(w);
          for (HeadId& head : w.settings.attention.heads) head.site = site;
          look(view, setting.name + " of site " + std::to_string(static_cast<int>(site)), w);
        }
      }
      if (std::string(view.id) != "step") continue;
      workspace.step.clear();
      const auto first = look(view, "the first step", workspace);
      for (const Step& step : stepsOf(*first->model->transformer)) {
        workspace.step = nameOf(step);
        look(view, "step " + workspace.step, workspace);
      }
    }
  }
}

}  // namespace glassformer
