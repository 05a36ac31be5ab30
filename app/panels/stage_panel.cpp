#include "app/panels/stage_panel.h"

#include <algorithm>

#include "app/document/cost_settings.h"
#include "app/document/lookup_settings.h"
#include "app/document/position_hands.h"
#include "app/document/view_commands.h"
#include "app/drawing/compared_side.h"
#include "app/engine/measurements.h"
#include "app/lesson/highlights.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/decoding_controls.h"
#include "app/panels/number_field.h"
#include "app/views/positions/positions_picture.h"
#include "app/views/stage.h"
#include "app/views/views.h"
#include "core/lens/positions.h"

namespace glassformer {

namespace {

// The picture's own temperature; null where it has none. Beside another text gradients need the room.
const char* temperatureOf(const View& view, std::string_view picture, bool isAlone) {
  if (&view == &viewOf("step") && picture == "lookup") return lookupTemperatureChoice;
  if (&view == &viewOf("influence") && picture == "gradients")
    return isAlone ? gradientTemperatureChoice : nullptr;
  return &view == &viewOf("attention") && picture == "softmax" ? surfaceTemperatureChoice : nullptr;
}

void showTemperature(Ui& ui, Box row, const char* choice) {
  const float before = chosenTemperature(ui.workspace().settings, choice);
  const widgets::NumberOptions options{
      .low = 0,
      .high = hottestLookup,
      .step = 0.1f,
      .decimals = 1,
      .atLow = "hard",
      .tip = "τ of softmax(s / τ): 1 as the head computes, 0 the best key alone"};
  const float after =
      widgets::numberField(ui, "Temperature", row.takeLeft(options.width + 104), before, options);
  if (after != before)
    ui.emit(commands::changeSettings([choice, chosen = widgets::numberText(after, options)](
                                         ViewSettings& settings) { settings.choices[choice] = chosen; }));
}

// Of the cost view: the sizes that it is counted or measured for.
constexpr std::array sizeRungs{1.f,    2.f,    4.f,    8.f,    16.f,   32.f,   48.f,   64.f,
                               96.f,   128.f,  192.f,  256.f,  384.f,  512.f,  768.f,  1024.f,
                               1536.f, 2048.f, 3072.f, 4096.f, 6144.f, 8192.f, 16384.f};

struct SizeField {
  const char *name, *choice, *tip;
  int low, high, now;
};
std::vector<SizeField> sizeFields(const View& view, std::string_view picture, const Ui& ui) {
  if (&view != &viewOf("cost") || !ui.snapshot.model->config) return {};
  const ViewSettings& settings = ui.workspace().settings;
  if (picture == "mixing" || picture == "block")
    return {{"T up to", tokensChoice, "texts of up to so many tokens are measured", fewestTokens,
             mostMeasuredTokens, chosenTokens(settings)}};
  if (picture != "sizes") return {};
  const auto [tokens, source, width] =
      chosenSizes(settings, ui.snapshot.model->config->context, ui.snapshot.model->config->width);
  return {{"T", costTextChoice, "N = T: how many tokens the text has", 1, mostCountedTokens, tokens},
          {"M", costSourceChoice, "how many tokens the source has that is read across", 1, mostCountedTokens,
           source},
          {"D", costWidthChoice, "how wide the stream is", leastCountedWidth, mostCountedWidth, width}};
}

void showSizes(Ui& ui, Box row, const std::vector<SizeField>& fields) {
  for (const SizeField& field : fields) {
    const widgets::NumberOptions options{.low = static_cast<float>(field.low),
                                         .high = static_cast<float>(field.high),
                                         .rungs = sizeRungs,
                                         .tip = field.tip};
    const float name = fields.size() > 1 ? 24.0f : 72.0f;
    const float after = widgets::numberField(ui, field.name, row.takeLeft(options.width + name),
                                             static_cast<float>(field.now), options);
    row.takeLeft(24);
    if (const int chosen = static_cast<int>(after); chosen != field.now)
      ui.emit(commands::choose(field.choice, std::to_string(chosen)));
  }
}

// Of the positions view: the base of sinusoids, and Δ where one is chosen. A model that is being trained
// keeps its own base.
bool hasPositionNumbers(const View& view, const Ui& ui) {
  const auto& measured = ui.snapshot.model->measurements;
  return &view == &viewOf("positions") && measured && measured->contains("positions.sinusoidal");
}

// Small shifts one by one, as far as a table reaches.
constexpr std::array shiftRungs{1.f,  2.f,  3.f,  4.f,   6.f,   8.f,   12.f,  16.f,  24.f,  32.f,
                                48.f, 64.f, 96.f, 128.f, 192.f, 256.f, 384.f, 512.f, 768.f, 1024.f};

void showPositionNumbers(Ui& ui, Box row, std::string_view picture) {
  const ModelConfig& config = *ui.snapshot.model->config;
  const PositionsSettings& settings = ui.workspace().settings.positions;
  const auto& loaded = ui.snapshot.model->loadedConfig;
  if (!ownBase(config) || (loaded && !ui.snapshot.training->run)) {
    const widgets::NumberOptions options{.low = leastBase,
                                         .high = mostBase,
                                         .rungs = baseRungs,
                                         .tip =
                                             "N of sin(t / N^(2i/D)): the slowest pair takes 2πN positions "
                                             "for a turn, nearly"};
    const float before = shownBase(settings, config),
                after = widgets::numberField(ui, "Base N", row.takeLeft(options.width + 64), before, options);
    if (after != before)
      ui.emit(commands::setPositionBase(config, loaded.value_or(config), ui.workspace().changes, after,
                                        "number " + std::to_string(ui.numbers.gesture)));
    row.takeLeft(24);
  }
  if (picture != "shift") return;
  const int most = std::max(1, measuredPositions(config) - 1), before = shownDistance(settings, most + 1);
  const widgets::NumberOptions options{.low = 1,
                                       .high = static_cast<float>(most),
                                       .rungs = shiftRungs,
                                       .tip = "Δ of p(t + Δ): how many positions further"};
  const float after =
      widgets::numberField(ui, "Δ", row.takeLeft(options.width + 32), static_cast<float>(before), options);
  if (const int distance = static_cast<int>(after); distance != before)
    ui.emit(commands::changeSettings([=](ViewSettings& s) { s.positions.distance = distance; }));
}

// Beside the title of a picture that stands alone and has the room, else at the foot.
Box placeOfPositionNumbers(const Ui& ui, Box& rest) {
  constexpr float least = 336;
  const ScreenMetrics metrics(ui.fonts, ui.scale);
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, {}};
  const Box room = roomBesideTitle(input);
  const bool isAlone = !ui.workspace().comparison.isOn() && rest.width >= SceneInput::leastWidth;
  if (!isAlone || room.width < least || rest.height < SceneInput::leastHeight)
    return rest.takeBottom(48).inset(24, 8);
  return {rest.x + room.x, rest.y + room.y, room.width, room.height};
}

// What the step of the lesson speaks of, unless that would give its answer away.
std::vector<NamedCells> highlightsOf(const Lesson& lesson, const Ui& ui, const Snapshot& shown) {
  const int at = stepOf(lesson, ui.workspace());
  const LessonStep& step = lesson.steps[static_cast<std::size_t>(at)];
  const auto& made = ui.workspace().lesson.guesses;
  if (const auto found = made.find(at); step.question && (found == made.end() || !found->second.isMade))
    return {};
  std::vector<NamedCells> all;
  for (const std::string& cells : step.highlights)
    if (const auto named = namedCells(cells, shown)) all.push_back(*named);
  return all;
}

}  // namespace

void StagePanel::content(Ui& ui, const Box& area) {
  const View& view = viewOf(ui.workspace().view);
  Box rest = area;
  if (&view == &viewOf("beam") && (!ui.snapshot.model->config || ui.snapshot.model->continues())) {
    Box numbers = rest.inset(16, 8);
    showAllNumbers(ui, numbersOfTree(ui.workspace(), numberAskedFor(ui)), numbers);
    rest.takeTop(numbers.y + 8 - rest.y);
    ui.draw(Rect{{rest.x, rest.y - 1, rest.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  }
  const std::string_view picture = view.picture(ui.workspace().settings).id;
  const bool hasTrace = shownBy(ui).pass->hasTrace(), steps = &view == &viewOf("step") && hasTrace;
  if (steps && picture == "equation" && !ui.workspace().comparison.isOn())
    player_.show(ui, rest.takeBottom(48).inset(24, 8));
  const char* choice = temperatureOf(view, picture, !ui.workspace().comparison.isOn());
  if (choice && hasTrace) showTemperature(ui, rest.takeBottom(48).inset(24, 8), choice);
  if (const auto fields = sizeFields(view, picture, ui); !fields.empty())
    showSizes(ui, rest.takeBottom(48).inset(24, 8), fields);
  if (hasPositionNumbers(view, ui)) showPositionNumbers(ui, placeOfPositionNumbers(ui, rest), picture);
  showViews(ui, view, rest);
}

// Of a pass under way the picture is shown as soon as all is there that it reads, of both texts where two are
// compared, and everything else stays as it was until the pass is through.
const Snapshot& StagePanel::shownBy(const Ui& ui) {
  const bool isCompared = ui.workspace().comparison.isOn();
  if (!ui.soFar || isCompared != (ui.soFar->other != nullptr)) return ui.snapshot;
  const bool isKnown = isKnownSoFar(neededFor(ui.workspace()), ui.workspace(), *ui.soFar);
  return isKnown ? *ui.soFar : ui.snapshot;
}

void StagePanel::showViews(Ui& ui, const View& view, const Box& area) {
  const Snapshot& shown = shownBy(ui);
  const auto panes = stagePanes(ui.workspace(), shown, area);
  for (const StagePane& pane : panes) {
    const Box& title = pane.title;
    if (title.height > 0) {
      ui.draw(Rect{{title.x, title.bottom() - 1, title.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
      ui.drawText({title.x + 24, title.center().y}, pane.words, ui.theme.mono(), Align::Start,
                  title.width - 48);
    }
    if (pane.source == Target::Source::Other)
      ui.draw(Rect{{title.x, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
    showPane(ui, view, pane, shown);
  }
}

// A picture that is short of room is drawn smaller, as long as it can be read.
void StagePanel::showPane(Ui& ui, const View& view, const StagePane& pane, const Snapshot& shown) {
  constexpr float smallest = 0.8f;
  const Box& box = pane.picture;
  const float fit = std::clamp(box.width / SceneInput::leastWidth, smallest, 1.0f);
  StagePane laidOut = pane;
  laidOut.picture = {0, 0, box.width / fit, box.height / fit};
  const ScreenMetrics metrics(ui.fonts, ui.scale * fit);
  const SceneInput input{ui.workspace(), shown, {}, ui.theme, metrics, ui.hover};
  const Target before = std::exchange(ui.nextHover, {}), asked = std::exchange(ui.why, {});
  ScenePane& picture = pane.source == Target::Source::Other ? other_ : view_;
  Scene scene = stageScene(view, laidOut, input);
  if (ui.lesson && pane.source == Target::Source::This)
    addHighlights(scene, highlightsOf(*ui.lesson, ui, shown), ui.theme);
  picture.show(ui, scene, box, fit);
  const ComparedSide side(shown, pane.source);
  ui.nextHover = ui.nextHover.empty() ? before : side.told(ui.nextHover);
  ui.why = ui.why.empty() ? asked : side.told(ui.why);
}

}  // namespace glassformer
