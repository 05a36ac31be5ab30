#include "app/document/weight_readers.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/document/steps.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

// The box of the model's diagram that a step belongs to; of norms each its own.
std::string boxOf(const Step& step) {
  const std::string box = std::to_string(static_cast<int>(step.part)) + "." +
                          std::to_string(static_cast<int>(step.site)) + "." + std::to_string(step.layer);
  return step.part == StepPart::Norm ? box + step.tensor : box;
}

std::string weightAt(const Parameters& parameters, Cell cell) {
  for (int i = 0; i < parameters.count(); ++i)
    if (const TensorView view = parameters.view(i); cell >= view.data && cell < view.data + view.size())
      return parameters.spec(i).name;
  return "";
}

// Of every weight the boxes in whose numbers it is found: of each step the first of a row and the last.
std::map<std::string, std::set<std::string>> boxesByWeight(const Transformer& model, const Trace& trace) {
  std::map<std::string, std::set<std::string>> boxes;
  for (const Step& step : stepsOf(model)) {
    if (!trace.contains(step.tensor)) continue;
    const TensorView x = trace[step.tensor];
    const std::string& letters = trace.point(trace.find(step.tensor)).letters;
    for (const bool isLast : {false, true}) {
      std::array<int, maxRank> at{};
      for (std::size_t d = 0; d < static_cast<std::size_t>(x.rank); ++d)
        at[d] = isLast || letters[d] == 'T' ? x.extent[d] - 1 : 0;
      const auto made = trace.derive(step.tensor, at);
      if (!made) continue;
      std::vector<Cell> cells{made->gamma, made->beta};
      for (const Term& term : made->terms) cells.push_back(term.factor), cells.push_back(term.other);
      for (const Cell cell : cells)
        if (const std::string weight = cell ? weightAt(model.parameters(), cell) : ""; !weight.empty())
          boxes[weight].insert(boxOf(step));
    }
  }
  return boxes;
}

}  // namespace

TEST_CASE("every weight is read where the pass's own numbers are made of it") {
  int held = 0;
  forEachMember([&](const ModelConfig& config) {
    const auto model = makeModel(config);
    const std::vector<int> source = config.isEncoderDecoder() ? std::vector{1, 2} : std::vector<int>{};
    const auto trace = LivePass(model, 1).run(std::vector{3, 9, 20}, {}, source);
    const auto boxes = boxesByWeight(*model, *trace);
    const std::vector<Step> steps = stepsOf(*model);
    for (int i = 0; i < model->parameters().count(); ++i) {
      const std::string& weight = model->parameters().spec(i).name;
      INFO(weight);
      const auto points = pointsReading(*model, weight);
      // What nobody reads: an encoder's last norm where every block is read behind itself.
      const bool isRead =
          config.crossMemory != CrossMemory::SameLayer || !weight.starts_with("encoder.ln_f.");
      CHECK(points.empty() != isRead);
      const auto found = boxes.find(weight);
      if (found == boxes.end()) continue;
      std::set<std::string> told;
      for (const std::string& point : points) {
        const auto step = std::ranges::find(steps, point, &Step::tensor);
        REQUIRE(step != steps.end());
        told.insert(boxOf(*step));
      }
      CHECK(told == found->second);
      ++held;
    }
  });
  CHECK(held > 1000);
}
