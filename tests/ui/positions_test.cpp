#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/engine/model_library.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;

namespace {

UiDriver::Options positionsOf(const std::string& model, int width) {
  UiDriver::Options options;
  options.width = width, options.height = width * 9 / 16;
  options.workspace.look.dark = width == 1280;
  options.workspace.view = "positions", options.workspace.model = model, options.workspace.text = "qmbxzfqmb";
  options.loader = [model](const std::string&, const Watch&) {
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
  ui.hover("turned pair", 0.5f, 0.5f);
}

TEST_CASE(
    "attention by distance only shows its filter, and differs from a convolution only at a closed border") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options{.width = width, .height = width * 9 / 16};
    options.workspace.view = "positions";
    options.workspace.look.dark = width == 1280, options.workspace.look.followsSystem = false;
    options.workspace.changes = {{"attention_kernel", "distance"}, {"position_embedding_type", "none"}};
    UiDriver ui(options);
    ui.click("Filter");
    CHECK(ui.workspace().settings.pictures.at("positions") == "filter");
    CHECK(ui.texts().find("the text alone shares") != std::string::npos);
    ui.click("Open border");
    CHECK(ui.snapshot().model->config->openBorder);
    CHECK(ui.texts().find("largest difference: 0 to rounding") != std::string::npos);
    ui.hover("weight at -1", 0.5f, 0.9f);
    CHECK(ui.app().hover().cell.tensor.starts_with("lens.filter.L"));
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("filter_" + std::to_string(width));
  }
}
