#include "app/views/steps/step_operands.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <random>

#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "app/views/steps/step_picture.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

// Computes a number of a step's result from the matrices that the picture shows, as its signs say.
class Evaluated {
 public:
  Evaluated(const StepEquation& equation, const TensorSources& sources, const ModelConfig& config)
      : equation_(equation), sources_(sources), config_(config) {}

  double at(int row, int column) const { return upTo(equation_.operands.size(), row, column); }

 private:
  double number(const StepOperand& operand, int ofResult, int column, int inner) const {
    const int row = operand.rowFor(ofResult);
    if (operand.rows == Along::Row && (row < 0 || row >= plane(sources_, operand.plane)->extent[0])) return 0;
    const auto along = [&](Along what) {
      return what == Along::Row || what == Along::Table ? row
             : what == Along::Column                    ? column - operand.firstColumn
             : what == Along::Inner                     ? inner
                                                        : 0;
    };
    return *valueOf(sources_, operand.plane.cell(along(operand.rows), along(operand.columns)));
  }
  bool isElsewhere(const StepOperand& operand, int column) const {
    const int own = column - operand.firstColumn;
    return operand.columns == Along::Column && (own < 0 || own >= plane(sources_, operand.plane)->extent[1]);
  }

  double upTo(std::size_t count, int row, int column) const {
    double result = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const StepOperand& operand = equation_.operands[k];
      if (operand.plane.empty()) {
        if (operand.sign.starts_with("· √D")) {
          result *= std::sqrt(static_cast<double>(config_.width));
        } else if (operand.sign.starts_with("/ √D")) {
          result /= std::sqrt(static_cast<double>(config_.width));
        } else if (equation_.cap > 0) {
          REQUIRE(std::stod(operand.sign.substr(2)) == static_cast<double>(equation_.cap));
          result /= static_cast<double>(equation_.cap);
        } else {
          const int width = config_.scoreWidth > 0 ? config_.scoreWidth : config_.headWidth();
          const std::string root = config_.scoreWidth > 0 ? "√" + std::to_string(width) : "√K";
          REQUIRE(operand.sign.starts_with(config_.scoresByLayer ? "/ (" + root + " · " : "/ " + root));
          result /= std::sqrt(static_cast<double>(width));
          if (config_.scoresByLayer) result /= std::stod(operand.sign.substr(operand.sign.find("· ") + 3));
        }
        continue;
      }
      if (isElsewhere(operand, column)) continue;
      double x = 0;
      if (operand.columns == Along::Inner) {
        const int inner = plane(sources_, operand.plane)->extent[1];
        REQUIRE(plane(sources_, equation_.operands[k + 1].plane)->extent[0] == inner);
        for (int i = 0; i < inner; ++i)
          x += number(operand, row, column, i) * number(equation_.operands[k + 1], row, column, i);
        ++k;
      } else {
        x = number(operand, row, column, 0);
      }
      if (operand.symbol.starts_with("silu(")) x = x / (1 + std::exp(-x));
      if (operand.sign == "+")
        result += x;
      else if (operand.sign == "−")
        result -= x;
      else if (operand.sign == "⊙")
        result *= x;
      else if (operand.sign.ends_with("/"))
        result = x == 0 ? 0 : result / x;
      else
        result = x;
    }
    return result;
  }

  const StepEquation& equation_;
  const TensorSources& sources_;
  const ModelConfig& config_;
};

// Holds some numbers of a step to its equation; false: it has none.
bool holds(const SceneInput& input, const Step& step, std::mt19937& random) {
  const StepPicture view(input);
  const StepEquation equation = equationOf(input, step, view.result);
  if (equation.operands.empty()) return false;
  const TensorSources sources = input.sources();
  const Evaluated evaluated(equation, sources, input.config());
  for (int i = 0; i < 20; ++i) {
    const int row = static_cast<int>(random() % static_cast<unsigned>(view.cells.extent[0])),
              column = static_cast<int>(random() % static_cast<unsigned>(view.cells.extent[1]));
    double value = evaluated.at(row, column);
    if (equation.cap > 0)
      value = static_cast<double>(equation.cap) * std::tanh(value);
    else if (!equation.function.empty())
      value = sources.derive(view.result.cell(row, column))->function(value);
    const double shown = view.cells(row, column);
    INFO(row << ", " << column);
    if (std::isfinite(shown))
      CHECK(std::abs(value - shown) <= 2e-5 * (1 + std::abs(shown)));
    else
      CHECK(value == shown);
  }
  return true;
}

// Why a step is drawn as its result alone; nullptr: it has operands.
const char* whyAlone(const Step& step) {
  if (step.title.starts_with("Rotated ")) return "pairs of columns, turned by angles that are no tensor's";
  if (step.title == "Hard attention") return "a choice within a row";
  return nullptr;
}

}  // namespace

TEST_CASE("the matrices of a step, taken together as their signs say, are its result, on every member") {
  std::mt19937 random(3);
  std::map<std::string, int> drawn;
  std::vector<FamilyMember> members = familyMembers();
  members.push_back({"ALiBi", choosing(Stack::DecoderOnly, {{"position_embedding_type", "alibi"}})});
  members.push_back({"masked afterwards", choosing(Stack::DecoderOnly, {{"mask_time", "after_softmax"}})});
  members.push_back(
      {"argmax, masked afterwards",
       choosing(Stack::DecoderOnly, {{"attention_kernel", "argmax"}, {"mask_time", "after_softmax"}})});
  members.push_back({"rows", choosing(Stack::DecoderOnly, {{"readout", "rows"}})});
  members.push_back({"linear", choosing(Stack::DecoderOnly, {{"attention_kernel", "linear"}})});
  members.push_back({"scaled embedding, positions beside it",
                     choosing(Stack::DecoderOnly,
                              {{"scale_embedding", "yes"}, {"position_embedding_type", "concatenated"}})});
  members.push_back(
      {"norms behind, soft caps", choosing(Stack::DecoderOnly, {{"norm_placement", "sandwich"},
                                                                {"scale_unembedding", "yes"},
                                                                {"query_pre_attn_scalar", "5"},
                                                                {"attn_logit_softcapping", "2"},
                                                                {"final_logit_softcapping", "1.5"}})});
  for (const FamilyMember& member : members) {
    Engine engine([&](const std::string& name,
                      const ProgressCallback&) -> Result<LoadedModel> { return member.model(name); },
                  [] {}, neededFor);
    std::uint64_t revision = 0;
    Workspace workspace;
    workspace.text = member.text, workspace.source = member.source, workspace.view = "step";
    workspace.selection.layer = 1, workspace.selection.head = 1;
    engine.request(workspace, ++revision);
    engine.finish();
    for (const Step& step : stepsOf(*engine.latest()->model->transformer)) {
      workspace.step = nameOf(step);
      engine.request(workspace, ++revision);
      engine.finish();
      const auto snapshot = engine.latest();
      const PlainMetrics metrics;
      const Theme theme = darkTheme();
      const SceneInput input{workspace, *snapshot, {1200, 800}, theme, metrics, {}};
      INFO(member.name << ", " << workspace.step);
      REQUIRE_FALSE(StepPicture::empty(input));
      drawn[step.title] += holds(input, step, random);
    }
  }
  for (const char* title : {"Token embedding",
                            "Token types",
                            "Queries",
                            "Keys",
                            "Values",
                            "Query · key",
                            "Scaled scores",
                            "Scores",
                            "Mask",
                            "Softmax",
                            "Weighted values",
                            "Concatenated heads",
                            "Attention output",
                            "Residual add",
                            "Norm",
                            "MLP pre-activation",
                            "Activation",
                            "MLP output",
                            "Logits",
                            "Zeroed weights",
                            "Renormalize",
                            "Attention weights",
                            "Soft-capped scores",
                            "Post-sublayer norm",
                            "Taps"}) {
    INFO(title);
    CHECK(drawn[title] > 0);
  }
}

TEST_CASE("every step of the models that ship has the matrices that make it, or a reason why not") {
  std::mt19937 random(5);
  const ModelLibrary library(SOURCE_FOLDER "/app");
  const auto check = [&](const std::string& model, const std::string& text) {
    Engine engine([&](const std::string& name, const ProgressCallback&) { return library.load(name); }, [] {},
                  neededFor);
    std::uint64_t revision = 0;
    Workspace workspace;
    commands::setModel(model).apply(workspace);
    workspace.view = "step", workspace.selection.head = 1;
    workspace.text = text, workspace.source = "The dog sleeps.";
    engine.request(workspace, ++revision);
    engine.finish();
    INFO(model << ", " << workspace.text << ": " << engine.latest()->standing.error);
    REQUIRE(engine.latest()->pass->hasTrace());
    for (const Step& step : stepsOf(*engine.latest()->model->transformer)) {
      if (step.layer > 0) continue;
      workspace.step = nameOf(step);
      engine.request(workspace, ++revision);
      engine.finish();
      const auto snapshot = engine.latest();
      const PlainMetrics metrics;
      const Theme theme = darkTheme();
      const SceneInput input{workspace, *snapshot, {1200, 800}, theme, metrics, {}};
      INFO(workspace.step << " " << step.title);
      REQUIRE_FALSE(StepPicture::empty(input));
      CHECK(holds(input, step, random) == !whyAlone(step));
    }
  };
  for (const ModelLibrary::Entry& model : library.builtIn())
    check(model.name, model.name == "worked" ? "We wash our cats" : "dacb");
  for (const char* text : {"bdca>", "aacc>", "dddd>", "b"}) check("letters", text);
}

TEST_CASE("what a model shows of its steps says what made it") {
  const auto snapshot = [] {
    Workspace workspace = initialWorkspace();
    workspace.view = "step", workspace.step = "blocks.1.attn.products";
    return snapshotOf(workspace);
  }();
  const TensorSources sources = sourcesOf(*snapshot);
  int checked = 0;
  for (int i = 0; i < snapshot->pass->measurements->count(); ++i) {
    const TracePoint& point = snapshot->pass->measurements->point(i);
    const TensorView tensor = snapshot->pass->measurements->tensor(i);
    tensor.forEach([&](const std::array<int, maxRank>& index, float value) {
      const auto derivation = snapshot->pass->measurements->derive(point.name, index);
      if (!derivation) return;
      ++checked;
      INFO(point.name);
      CHECK(std::abs(derivation->value() - value) <= 1e-5 * (1 + std::abs(value)));
    });
  }
  CHECK(checked > 500);
}

TEST_CASE(
    "of a result of very many columns a part is shown, and its numbers are the ones that are pointed at") {
  Workspace workspace = initialWorkspace();
  workspace.view = "step", workspace.step = "blocks.0.mlp.hook_pre";
  workspace.changes = {{"n_inner", "3000"}}, workspace.selection.dimension = 2000;
  const auto snapshot = snapshotOf(workspace);
  const PlainMetrics metrics;
  const Theme theme;
  const SceneInput input{workspace, *snapshot, {900, 700}, theme, metrics, {}};
  StepPicture view(input);
  drawStepEquation(view, {0, 0, 900, 700});
  const auto result = std::ranges::find(view.scene.hits, "step tensor", &HitRegion::name);
  REQUIRE(result != view.scene.hits.end());
  const int last = view.row(), first = result->firstColumn;
  CHECK(first > 1000);
  const Box cell = result->box.cell(last, 2000 - first, result->rows, result->columns);
  const Target target = targetAt(*result, cell.center());
  CHECK(target.cell.index == std::array{last, 2000, 0, 0});
  CHECK(target.dimension == 2000);
  Workspace chosen = workspace;
  chosen.selection.dimension = 0;
  result->click(target).apply(chosen);
  CHECK(chosen.selection.dimension == 2000);
}
