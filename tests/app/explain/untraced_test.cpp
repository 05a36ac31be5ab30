// Whatever a picture shows opens into what made it, but for what is named here.
#include <array>
#include <cmath>
#include <set>

#include "app/explain/other_passes.h"
#include "tests/app/views/seen_picture.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

// Tensors that begin so are made of no numbers of a pass, or of passes that are not kept; and what made them.
struct End {
  const char *begins, *madeBy;
};
constexpr End ends[]{{"wte.weight", "training"},
                     {"lm_head.weight", "training"},
                     {"cost.", "counting"},
                     {"cache.", "counting"},
                     {"lens.serial_steps", "counting"},
                     {"unembedding.count", "counting"},
                     {"gradient.", "the pass backward"},
                     {"lens.gradient", "the pass backward"},
                     {"lens.influence_matrix", "the pass backward"},
                     {"lens.sampling_draw", "the seed"},
                     {"steps.", "two ways to compute the same"},
                     {"lens.slip.", "two ways to compute the same"},
                     {"positions.shift", "solving for it"},
                     {"positions.bench", "solving for it"},
                     {"lens.position_scores", "weights alone"}};

// Pictures whose numbers are of many passes: other_passes_test.cpp opens those.
constexpr std::array<std::string_view, 9> ofManyPasses{"many texts", "edges",           "hypothesis",
                                                       "biography",  "smallest change", "circuits",
                                                       "neurons",    "strategies",      "draft"};

bool isTraced(const Snapshot& snapshot, const std::string& name, const TensorView& tensor) {
  const TensorSources sources = sourcesOf(snapshot);
  int asked = 0;
  bool isKnown = false;
  tensor.forEach([&](const auto& index, float value) {
    if (isKnown || !std::isfinite(value) || ++asked > 300) return;
    const TensorRef cell{name, index};
    isKnown = provenanceOf(sources, cell) || comparesPasses(snapshot, cell);
  });
  return isKnown || asked == 0;
}

}  // namespace

TEST_CASE("what a picture shows opens into what made it, or is named as what ends there") {
  if (isSanitized) return;  // a look at every picture
  std::set<std::string> traced, untraced;
  for (const View& view : views())
    for (const Picture& picture : view.pictures) {
      const bool isLong = std::string_view(view.id) == "landscape" ||
                          std::string_view(view.id) == "training" ||
                          std::ranges::find(ofManyPasses, picture.id) != ofManyPasses.end();
      if (isLong) continue;
      const SeenPicture seen(openedOn(view.id, std::string(picture.id).c_str()));
      for (const HitRegion& hit : seen.scene.hits) {
        const std::string& name = hit.target.cell.tensor;
        if (name.empty() || traced.contains(name)) continue;
        const auto tensor = sourcesOf(*seen.snapshot).find(name);
        if (tensor) (isTraced(*seen.snapshot, name, *tensor) ? traced : untraced).insert(name);
      }
    }
  CHECK(traced.size() > 60);
  for (const std::string& name : untraced) {
    INFO(name);
    const bool isNamed =
        std::ranges::any_of(ends, [&](const End& end) { return name.starts_with(end.begins); });
    CHECK((traced.contains(name) || isNamed));
  }
  for (const End& end : ends) {
    INFO(end.begins << ", made by " << end.madeBy);
    CHECK(
        std::ranges::any_of(untraced, [&](const std::string& name) { return name.starts_with(end.begins); }));
  }
}
