#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <numbers>

#include "app/engine/model_library.h"
#include "app/engine/position_bench.h"
#include "app/scene/format.h"
#include "core/lens/position_shift.h"
#include "core/train/tasks/positions_task.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options positionsOf(const std::string& model, int width) {
  UiDriver::Options options;
  options.width = width, options.height = width * 9 / 16;
  options.workspace.look.dark = width == 1280;
  options.workspace.view = "positions", options.workspace.model = model, options.workspace.text = "qmbxzfqmb";
  options.loader = [model](const std::string&, const ProgressCallback&) {
    return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load(model);
  };
  return options;
}

}  // namespace

TEST_CASE("positions that are added to nothing show what they do to a head") {
  for (const char* name : {"alibi", "relative", "rotary"})
    for (const int width : {1280, 1920}) {
      UiDriver ui(positionsOf(std::string("positions/") + name, width));
      ui.hover("Stage view", 0.01f, 0.99f);
      INFO(name << " " << width);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot(std::string("positions_") + name + "_" + std::to_string(width));
      ui.click("Head after");
      CHECK(ui.workspace().selection.head == 1);
      CHECK(ui.layoutFaults() == "");
    }
}

TEST_CASE("ALiBi's bias falls with the distance, by the slope of its head") {
  UiDriver ui(positionsOf("positions/alibi", 1280));
  const auto bias = (*ui.snapshot().pass->measurements)["lens.position_bias.L0H0"];
  const double slope = std::exp2(-8.0 / ui.snapshot().model->config->heads);  // Press et al. 2022, section 3
  for (int t = 0; t < bias.extent[0]; ++t)
    for (int s = 0; s < bias.extent[1]; ++s)
      CHECK(bias(t, s) == Approx(-slope * std::abs(t - s)).margin(1e-6));
  ui.hover("position bias", 0.05f, 0.95f);
  CHECK(ui.app().hover().cell.tensor == "lens.position_bias.L0H0");
  CHECK(ui.app().hover().query == bias.extent[0] - 1);
  ui.click("position bias", 0.5f, 0.05f);
  CHECK(ui.workspace().selection.query == 0);
  // The slopes of all heads stand side by side, and lead to their heads.
  const TensorView slopes = (*ui.snapshot().pass->measurements)["positions.alibi_slopes"];
  REQUIRE(slopes.extent[0] == ui.snapshot().model->config->heads);
  CHECK(slopes(1) == Approx(slope * slope));
  ui.click("slope 1");
  CHECK(ui.workspace().selection.head == 1);
  CHECK(ui.app().hover().cell.tensor == "positions.alibi_slopes");
}

TEST_CASE("Shaw's vector of each distance is shown, and is the model's own") {
  UiDriver ui(positionsOf("positions/relative", 1920));
  ui.hover("distances", 0.5f, 0.01f);
  CHECK(ui.app().hover().cell.tensor == "h.0.attn.relative");
  CHECK(ui.app().hover().cell.index[0] == 16);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("s − t = 0, dimension 0"));
  // What it adds to a score is the query's product with it.
  const Trace& trace = *ui.snapshot().pass->trace;
  const TensorView q = trace["blocks.0.attn.hook_q"], a = (*trace.weights())["h.0.attn.relative"],
                   bias = (*ui.snapshot().pass->measurements)["lens.position_bias.L0H0"];
  double product = 0;
  for (int d = 0; d < a.extent[1]; ++d) product += static_cast<double>(q(5, 0, d)) * a(16 - 3, d);
  CHECK(bias(5, 2) == Approx(product / std::sqrt(a.extent[1])).epsilon(1e-4));
}

TEST_CASE("turned queries and keys keep their lengths, and the angle between them depends on the distance") {
  UiDriver ui(positionsOf("positions/rotary", 1280));
  const Trace& trace = *ui.snapshot().pass->trace;
  const TensorView q = trace["blocks.0.attn.hook_q"], turned = trace["blocks.0.attn.hook_rot_q"];
  const auto angle = [](const TensorView& v, int t, int pair) {
    return std::atan2(v(t, 0, 2 * pair + 1), v(t, 0, 2 * pair));
  };
  for (int t = 1; t < q.extent[0]; ++t) {
    CHECK(std::hypot(q(t, 0, 0), q(t, 0, 1)) ==
          Approx(std::hypot(turned(t, 0, 0), turned(t, 0, 1))).epsilon(1e-5));
    const double by = std::remainder(angle(turned, t, 0) - angle(q, t, 0) - t, 2 * std::acos(-1.0));
    CHECK(by == Approx(0).margin(1e-4));  // pair 0 turns by one radian a token
  }
  // The angle that is left is said in degrees, and is the one between both arrows.
  const int last = q.extent[0] - 1, key = 0;
  const TensorView k = trace["blocks.0.attn.hook_rot_k"];
  const double left = std::remainder(angle(k, key, 1) - angle(turned, last, 1), 2 * std::numbers::pi);
  const std::string degrees =
      formattedFixed(static_cast<float>(std::abs(left) * 180 / std::numbers::pi), 1) + "°";
  ui.hover("angle left 1");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("query and key are " + degrees + " apart in pair 1"));
  CHECK_THAT(ui.texts(), ContainsSubstring(degrees));
}

TEST_CASE("from the first start a shift is three actions away, by the lecture's words") {
  for (const auto& [word, picture] : {std::pair{"shift is a rotation", "shift"},
                                      {"convolution over positions", "convolution"},
                                      {"encoding at every length", "bench"}}) {
    UiDriver ui;
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(word);
    ui.press(ImGuiKey_Enter);
    INFO(word);
    CHECK(ui.workspace().view == "positions");
    CHECK(ui.workspace().settings.pictures.at("positions") == picture);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("positions_first_") + picture);
  }
}

TEST_CASE("a shift by Δ turns every pair, and both sides of the equation are computed") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = positionsOf("positions/sinusoidal", width);
    options.workspace.settings.pictures["positions"] = "shift";
    UiDriver ui(options);
    const auto measured = [&](const char* name) { return (*ui.snapshot().model->measurements)[name]; };
    const auto look = [&](const char* what) {
      ui.hover("Stage view", 0.01f, 0.99f);
      INFO(what << " " << width);
      CHECK(ui.layoutFaults() == "");
      CHECK_FALSE(ui.scrolls());
      ui.screenshot(std::string("positions_") + what + "_" + std::to_string(width));
    };
    ui.click("more##Δ");
    ui.click("more##Δ");
    CHECK(ui.workspace().settings.positions.distance == 3);
    CHECK(measured(positionShift::largest)(0) < 1e-6f);
    const int D = ui.snapshot().model->config->width;
    // The dimension that is clicked chooses the pair.
    ui.click("shift matrix", (4.5f) / static_cast<float>(D), 0.9f);
    CHECK(ui.workspace().selection.dimension == 4);
    CHECK(measured(positionShift::factor)(2, 1) == Approx(std::cos(3 / std::pow(10000, 4.0 / D))));
    look("shift");
    ui.hover("column positions.shift_turned", 0.5f, 4.5f / static_cast<float>(D));
    CHECK(ui.app().hover().cell.tensor == positionShift::turned);
    CHECK_THAT(ui.texts(), ContainsSubstring("Pair k = 2"));
    // Another base is the model's own number here, and can be undone.
    ui.click("less##Base N");
    CHECK(ui.snapshot().model->config->positionParameter == 1000);
    CHECK(measured("positions.sinusoidal")(7, 4) == Approx(std::sin(7 / std::pow(1000, 4.0 / D))));
    CHECK(measured(positionShift::largest)(0) < 1e-6f);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().changes.empty());
    CHECK(measured("positions.sinusoidal")(7, 4) == Approx(std::sin(7 / std::pow(10000, 4.0 / D))));
    ui.click("Encodings");
    ui.click("Phasors");
    look("phasors");
    CHECK_THAT(ui.texts(), ContainsSubstring("e^(i t / "));
    // Shifts with weights, which are dragged.
    ui.click("Stage/Shifts");
    ui.click("Stage/Weighted shifts");
    look("weighted_shifts");
    const auto& taps = ui.workspace().settings.positions.taps;
    CHECK(taps == usualTaps);
    const float box = ui.find("weight 1").max.y - ui.find("weight 1").min.y;
    ui.drag("weight 1", 0, -box / 4);
    CHECK(taps[4] == Approx(0.75f));
    CHECK(measured(positionShift::largest)(0) < 2e-6f);
    ui.doubleClick("weight −1", 0.5f, 0.5f);
    CHECK(taps[2] == 0);
    ui.click("−½ 0 ½");
    CHECK(measured(positionShift::factor)(0, 0) == Approx(std::sin(1.0)));  // ½ (e^i − e^−i) = i sin 1
    look("weighted_slope");
  }
}

TEST_CASE("sinusoids beside a learned table follow the base that is chosen, which is no part of the model") {
  UiDriver ui(positionsOf("positions/learned", 1280));
  ui.click("more##Base N");
  CHECK(ui.workspace().changes.empty());
  CHECK(ui.workspace().settings.positions.base == 100000);
  const int D = ui.snapshot().model->config->width;
  CHECK((*ui.snapshot().model->measurements)["positions.sinusoidal"](9, 2) ==
        Approx(std::sin(9 / std::pow(100000, 2.0 / D))));
  ui.click("Stage/Shifts");
  CHECK((*ui.snapshot().model->measurements)[positionShift::largest](0) > 1e-3f);
  CHECK_THAT(ui.texts(), ContainsSubstring("at every t, learned"));
}

TEST_CASE("every encoding is measured at every length, and a name opens its model") {
  const ModelLibrary library(std::filesystem::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options = positionsOf("positions/alibi", 1280);
  options.loader = [&](const std::string& name, const ProgressCallback&) { return library.load(name); };
  options.workspace.settings.pictures["positions"] = "bench";
  options.workspace.settings.choose(positionBench::textsChoice, "2");
  UiDriver ui(options);
  const auto shares = [&] { return (*ui.snapshot().kept.measured)[positionBench::share]; };
  ui.await([&] {
    if (!ui.snapshot().kept.measured || !ui.snapshot().kept.measured->contains(positionBench::share))
      return false;
    return shares().extent[0] == 6 && std::isfinite(shares()(5, shares().extent[1] - 1));
  });
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("positions_bench");
  // The model that the first line is of, at 48 tokens, by the task's own measure.
  const auto sinusoidal = library.load("positions/sinusoidal");
  REQUIRE(ui.snapshot().kept.offered[1].name == "positions/sinusoidal");
  CHECK(shares()(1, 3) == Approx(extrapolation(sinusoidal->transformer, *sinusoidal->tokenizer, 1001, 2)[1]));
  ui.hover("lengths", 0.99f, 0.5f);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("96 tokens\nalibi: ") && ContainsSubstring("\nnone: "));
  ui.click("encoding rotary");
  CHECK(ui.workspace().model == "positions/rotary");
}

TEST_CASE(
    "attention by distance only shows its filter, and differs from a convolution only at a closed border") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options{.width = width, .height = width * 9 / 16};
    options.workspace.view = "positions";
    options.workspace.look.dark = width == 1280, options.workspace.look.followsSystem = false;
    options.workspace.changes = {{"attention_kernel", "distance"}, {"position_embedding_type", "none"}};
    UiDriver ui(options);
    ui.click("Scores");
    ui.click("Distance filter");
    CHECK(ui.workspace().settings.pictures.at("positions") == "filter");
    CHECK(ui.texts().find("at the border the weights") != std::string::npos);
    CHECK(ui.texts().find("not a convolution: it differs by up to ") != std::string::npos);
    CHECK(ui.texts().find("is a convolution") == std::string::npos);
    ui.click("Zero padding");
    CHECK(ui.snapshot().model->config->zeroPadded);
    CHECK(ui.texts().find("largest difference: 0 to rounding") != std::string::npos);
    CHECK(ui.texts().find("Attention by distance alone is a convolution") != std::string::npos);
    ui.hover("weight at -1", 0.5f, 0.9f);
    CHECK(ui.app().hover().cell.tensor.starts_with("lens.filter.L"));
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("filter_" + std::to_string(width));
  }
}
