#include "app/views/model_map/cnn_comparison_scene.h"

#include <set>

#include "app/document/steps.h"
#include "app/views/model_map/parallel_blocks.h"
#include "core/model/positional/positional_encodings.h"
#include "tests/app/views/seen_picture.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

std::string linesOf(const ParallelBlock& block) {
  std::string lines;
  for (const BlockPart& part : block.parts)
    lines += part.name + (part.size.empty() ? "" : " | " + part.size) + "\n";
  return lines;
}

std::string partsOf(const ModelConfig& model, const char* kind) {
  for (const ParallelBlock& block : parallelBlocks(model))
    if (block.kind == findNamedBlock(kind)) return linesOf(block);
  return "";
}

// The boxes that a hover on this one lights, its own left out: those in the theme's strong face.
std::set<std::string> litBy(SeenPicture& seen, const std::string& name) {
  const Target target = seen.hit(name).target;
  seen.draw(target, {1296, 872});
  std::set<std::string> lit;
  for (const HitRegion& hit : seen.scene.hits) {
    if (hit.target.blockPart < 0 || hit.name == name) continue;
    const bool isLit = std::ranges::any_of(seen.scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->style.face == FontFace::Strong && hit.box.contains(text->at);
    });
    if (isLit) lit.insert(hit.name);
  }
  return lit;
}

}  // namespace

TEST_CASE("the three blocks are what their passes record, with the sizes of their weights") {
  const ModelConfig config = smallConfig();
  CHECK(partsOf(config, "resnet") ==
        "layer norm\n1 × 1 | 32 → 8\nReLU\n3 taps | 8 → 8\nReLU\n1 × 1 | 8 → 32\nadd\n");
  CHECK(partsOf(config, "convnext") ==
        "depthwise, 3 taps | 32 filters\nlayer norm\n1 × 1 | 32 → 48\nGELU\n1 × 1 | 48 → 32\nadd\n");
  CHECK(partsOf(config, "transformer") ==
        "layer norm\nW_Q, W_K, W_V | 32 → 96\nattention | 4 heads\nW_O | 32 → 32\nadd\n"
        "layer norm\nW_in | 32 → 48\nGELU\nW_out | 48 → 32\nadd\n");
  const auto sourceOf = [](const ModelConfig& model) { return parallelBlocks(model).back().source; };
  CHECK(sourceOf(config) == "pre-norm, GELU");
  ModelConfig of2017 = config;
  of2017.normPlacement = NormPlacement::Post;
  CHECK(sourceOf(of2017) == "post-norm, GELU");
  of2017.activation = Activation::Relu;
  CHECK(sourceOf(of2017) == "Vaswani et al. 2017");
  ModelConfig other = config;
  other.normPlacement = NormPlacement::Post, other.norm = NormKind::Rms;
  other.activation = Activation::SwiGlu, other.similarity = Similarity::Shared, other.heads = 1;
  CHECK(partsOf(other, "transformer") ==
        "U, W_V | 32 → 64\nattention | 1 head\nW_O | 32 → 32\nadd\nRMS norm\n"
        "W_gate, W_in | 32 → 96\nSwiGLU\nW_out | 48 → 32\nadd\nRMS norm\n");
  for (const auto& [activation, name] : {std::pair{Activation::Silu, "\nSiLU\n"},
                                         {Activation::Relu, "\nReLU\nW_out"},
                                         {Activation::Gelu, "\nGELU\n"}}) {
    other.activation = activation;
    CHECK(partsOf(other, "transformer").find(name) != std::string::npos);
  }
}

TEST_CASE(
    "whatever the model, every part of the three blocks is a step of such a block, from below upwards") {
  forEachMember([](const ModelConfig& config) {
    for (const ParallelBlock& block : parallelBlocks(config)) {
      INFO(block.kind->name);
      const auto steps = stepsOf(*makeModel(block.config));
      int last = -1;
      BlockRow row = BlockRow::NormFirst;
      for (const BlockPart& part : block.parts) {
        INFO(part.name);
        CHECK(nameOf(stepCalled(part.step, steps)) == part.step);
        CHECK(placeOf(part.step, steps) > last);
        CHECK((last < 0 || row < part.row));
        CHECK_FALSE(part.name.empty());
        last = placeOf(part.step, steps), row = part.row;
      }
    }
  });
}

TEST_CASE("what corresponds lights up together: projections, what mixes, and the MLP") {
  SeenPicture seen(openedOn("step", "parallels"));
  const auto lit = [&](const char* name) { return litBy(seen, name); };
  const std::set<std::string> beforeMlp{
      "transformer blocks.0.ln1.hook_normalized", "transformer blocks.0.attn.hook_q",
      "transformer blocks.0.attn.products",       "transformer blocks.0.hook_attn_out",
      "transformer blocks.0.hook_resid_mid",      "transformer blocks.0.ln2.hook_normalized"};
  CHECK(lit("resnet blocks.0.convolution.hook_reduced_pre") ==
        std::set<std::string>{"transformer blocks.0.attn.hook_q"});
  CHECK(lit("resnet blocks.0.hook_convolution_out").size() == 1);
  CHECK(lit("resnet blocks.0.convolution.hook_reduced").empty());
  CHECK(lit("convnext blocks.0.mlp.hook_pre") == std::set<std::string>{"transformer blocks.0.mlp.hook_pre"});
  CHECK(lit("transformer blocks.0.hook_mlp_out") == std::set<std::string>{"convnext blocks.0.hook_mlp_out"});
  // The convolution of a ConvNeXt, and the norm behind it, stand for all that comes before the MLP.
  for (const char* name :
       {"convnext blocks.0.convolution.hook_taps", "convnext blocks.0.ln2.hook_normalized"}) {
    std::set<std::string> ofTransformer = lit(name);
    std::erase_if(ofTransformer, [](const std::string& each) { return !each.starts_with("transformer "); });
    INFO(name);
    CHECK(ofTransformer == beforeMlp);
  }
}

TEST_CASE("a click builds the other kind of block, and one on its own opens the step") {
  SeenPicture seen(openedOn("step", "parallels"));
  seen.click("convnext blocks.0.mlp.hook_pre");
  CHECK(namedBlockOf(*seen.snapshot->model->config) == findNamedBlock("convnext"));
  CHECK(seen.snapshot->model->freshValues > 0);
  seen.click("convnext blocks.0.convolution.hook_taps");
  CHECK(seen.workspace.step.ends_with("convolution.hook_taps"));
  CHECK(seen.workspace.settings.pictures["step"] == "equation");
}

TEST_CASE("from one kind of block to the next and back nothing of the one is left in the other") {
  const auto config = [](const ModelConfig& loaded, const ModelChanges& changes) {
    const auto made = changedConfig(loaded, changes);
    REQUIRE(made);
    return *made;
  };
  ModelConfig loaded = smallConfig();
  loaded.mask = {MaskKind::Window, 4, {{3, 1, true}}};
  loaded.activation = Activation::SwiGlu, loaded.positions = findPositionalEncoding("rotary");
  const ModelChanges other{{"norm", "rms"}};
  ModelChanges changes = other;
  for (const NamedBlock& block : namedBlocks()) {
    changes = withBlock(changes, loaded, block);
    CHECK(namedBlockOf(config(loaded, changes)) == &block);
    CHECK(config(loaded, changes).norm == NormKind::Rms);
  }
  CHECK(changes == other);  // a transformer, as it was loaded
  // Asked for by its name, it stands for the same choices.
  const ModelChanges named{{"norm", "rms"}, {blockField, "convnext"}};
  CHECK(withBlock(named, loaded, *findNamedBlock("transformer")) == other);
  // What goes around a convolution alone does not stand in attention's way.
  CHECK(config(loaded, withChange(named, loaded, "mixing", "attention")).hasAttention());
  const ModelConfig full = config(loaded, withChange(named, loaded, "filters", "full"));
  CHECK(full.filters == Filters::Full);
  CHECK(full.oneResidual);
}

TEST_CASE("whose block it is stands beside its name where there is room for both") {
  SeenPicture seen(openedOn("step", "parallels"));
  CHECK(seen.says("this model’s"));
  seen.draw({}, {560, 640});
  CHECK_FALSE(seen.says("this model’s"));
  CHECK(seen.says("Transformer"));
}
