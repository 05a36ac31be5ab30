#include "app/views/model_map/model_map_scene.h"

#include "app/document/steps.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

// The boxes, by the step that a click on them goes to, whose ground is that of what is pointed at.
std::vector<std::string> boxesLitBy(const Workspace& workspace, const Snapshot& snapshot, Target hover,
                                    float height = 872) {
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = modelMapScene({workspace, snapshot, {240, height}, theme, metrics, std::move(hover)});
  const std::vector<Step> steps = stepsOf(*snapshot.model->transformer);
  std::vector<std::string> lit;
  for (const HitRegion& hit : scene.hits)
    for (const Shape& shape : scene.shapes) {
      const auto* box = std::get_if<Rect>(&shape);
      if (box && box->fill == theme.touched && hit.target.step >= 0 && box->box.contains(hit.box.center()))
        lit.push_back(steps[static_cast<std::size_t>(hit.target.step)].title);
    }
  return lit;
}

}  // namespace

TEST_CASE(
    "the parts in which the terms of an opened number come about are outlined, what is pointed at is lit") {
  const Workspace workspace = initialWorkspace();
  const auto snapshot = latestFor(workspace);
  const std::vector<Step> steps = stepsOf(*snapshot->model->transformer);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const auto outlined = [&](const std::vector<std::string>& made, Target hover, float height) {
    const Scene scene =
        modelMapScene({workspace, *snapshot, {240, height}, theme, metrics, std::move(hover)}, made);
    std::vector<std::string> names;
    for (const HitRegion& hit : scene.hits)
      for (const Shape& shape : scene.shapes) {
        const auto* box = std::get_if<Rect>(&shape);
        if (box && box->stroke == theme.text && hit.target.step >= 0 && box->box.contains(hit.box.center()))
          names.push_back(std::to_string(hit.target.layer) +
                          steps[static_cast<std::size_t>(hit.target.step)].title);
      }
    return names;
  };
  CHECK(outlined({}, {}, 872).empty());
  const std::vector<std::string> terms{"blocks.1.mlp.hook_post", "blocks.0.hook_resid_mid", "hook_embed",
                                       "h.1.mlp.c_proj.weight"};
  const auto three = outlined(terms, {}, 872);
  CHECK(three.size() == 3);
  CHECK(outlined({terms[0]}, {}, 872).front().starts_with("1"));
  // What is pointed at is lit besides, and of folded blocks each is outlined as one.
  Target pointed;
  pointed.cell = {terms[0], {0, 0}};
  CHECK(outlined(terms, pointed, 872) == three);
  CHECK(boxesLitBy(workspace, *snapshot, pointed).size() == 1);
  CHECK(outlined({terms[0], "blocks.1.attn.hook_z"}, {}, 200).size() == 1);
}

TEST_CASE("the number that is pointed at lights the part of the map in which it comes about") {
  const Workspace workspace = initialWorkspace();
  const auto snapshot = latestFor(workspace);
  const std::vector<Step> steps = stepsOf(*snapshot->model->transformer);
  CHECK(boxesLitBy(workspace, *snapshot, {}).empty());
  for (const char* point : {"blocks.1.attn.hook_pattern", "blocks.1.mlp.hook_post", "blocks.0.ln1.hook_scale",
                            "blocks.2.hook_resid_mid", "logits"}) {
    INFO(point);
    Target pointed;
    pointed.cell = {point, {0, 0, 0}};
    const auto lit = boxesLitBy(workspace, *snapshot, pointed);
    CHECK(lit.size() == 1);
  }
  Target query, onMap;
  query.cell = {"blocks.1.attn.hook_q", {0, 0, 0}};
  for (int i = 0; i < static_cast<int>(steps.size()); ++i)
    if (steps[static_cast<std::size_t>(i)].tensor == query.cell.tensor) onMap.step = i;
  REQUIRE(onMap.step > 0);
  CHECK(boxesLitBy(workspace, *snapshot, query) == boxesLitBy(workspace, *snapshot, onMap));
  // In a low map the blocks are folded, and the whole block lights.
  CHECK(boxesLitBy(workspace, *snapshot, query, 200).size() == 1);
}

TEST_CASE("a weight lights the part of the map that reads it, a gradient that of its point, or outlines it") {
  const Workspace workspace = initialWorkspace();
  const auto snapshot = latestFor(workspace);
  using Boxes = std::vector<std::string>;
  for (const auto& [weight, boxes] : {std::pair<const char*, Boxes>{"wpe.weight", {"Positions"}},
                                      {"ln_f.weight", {"Final norm"}},
                                      {"h.1.attn.c_attn.weight", {"Queries"}},
                                      {"h.1.attn.c_proj.bias", {"Queries"}},
                                      {"h.2.ln_2.weight", {"Norm"}},
                                      {"gradient.blocks.0.attn.hook_v", {"Queries"}},
                                      {"h.0.mlp.c_proj.weight", {"MLP pre-activation"}}}) {
    INFO(weight);
    Target pointed;
    pointed.cell = {weight, {0, 0}};
    CHECK(boxesLitBy(workspace, *snapshot, pointed) == boxes);
  }
  // What embeds here reads out as well.
  Target embedding;
  embedding.cell = {"wte.weight", {3, 5}};
  CHECK(snapshot->model->config->tiedUnembedding ==
        (boxesLitBy(workspace, *snapshot, embedding).size() == 2));
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = modelMapScene({workspace, *snapshot, {240, 872}, theme, metrics, {}},
                                    {"h.1.mlp.c_fc.weight", "blocks.0.hook_resid_post"});
  CHECK(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
          const auto* box = std::get_if<Rect>(&shape);
          return box && box->stroke == theme.text;
        }) == 2);
}
