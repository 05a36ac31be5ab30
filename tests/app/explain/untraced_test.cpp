// Whatever a picture shows opens into what made it, but for what is named here.
#include <array>
#include <cmath>
#include <set>

#include "app/explain/leaf_reasons.h"
#include "app/explain/other_passes.h"
#include "tests/app/views/seen_picture.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

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
  const auto isWeight = [](const std::string& name) { return name.ends_with(".weight"); };
  for (const std::string& name : untraced) {
    INFO(name);
    CHECK((traced.contains(name) || isWeight(name) || !groundWords(name).empty()));
  }
  for (const std::string& name : traced) {
    INFO(name);
    CHECK(groundWords(name).empty());
  }
}
