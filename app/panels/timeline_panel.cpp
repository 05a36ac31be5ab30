#include "app/panels/timeline_panel.h"

#include <algorithm>
#include <vector>

#include "app/document/decoding_commands.h"
#include "app/document/text_commands.h"
#include "app/panels/decoding_controls.h"
#include "app/panels/widgets.h"
#include "app/views/timeline/timeline_scene.h"
#include "core/lens/contributions.h"

namespace glassformer {

namespace {

// Whether the newest text can still grow, and if not, why.
std::string whyFull(const Ui& ui) {
  const Snapshot& snapshot = ui.snapshot;
  if (!snapshot.pass->hasTrace() || !snapshot.model->config) return "no text to continue";
  if (snapshot.model->hasNoWeights()) return "recorded activations have no continuation";
  if (!snapshot.model->continues()) return "this is a masked language model";
  if (static_cast<int>(snapshot.pass->tokens.size()) >= snapshot.model->config->context)
    return "the text fills the model's context of " + std::to_string(snapshot.model->config->context) +
           " tokens";
  return "";
}

int mostProbable(const Snapshot& snapshot) {
  const Trace& trace = *snapshot.pass->trace;
  return likeliestEntry(trace, trace.tokenCount() - 1);
}

// Whether what follows is decoded by the settings of now: what is appended is noted with these.
bool isDecodedNow(const Ui& ui) {
  return ui.snapshot.isDecoded() && ui.snapshot.decoded->decoding == ui.workspace().decoding;
}

// Whether a step takes the first token that decoding goes on with, instead of the most probable one.
bool takesDecoded(const Ui& ui) {
  const Decoding& decoding = ui.workspace().decoding;
  return decoding.strategy == DecodingStrategy::Sampling || !decoding.constraint.isOff();
}

}  // namespace

std::string nextBytes(const Ui& ui) {
  const Snapshot& snapshot = ui.snapshot;
  if (!whyFull(ui).empty()) return "";
  if (takesDecoded(ui) && (!isDecodedNow(ui) || snapshot.decoded->continuation.empty())) return "";
  const int token = takesDecoded(ui) ? snapshot.decoded->continuation.front() : mostProbable(snapshot);
  return snapshot.model->bytesOf(std::span(&token, 1));
}

ChosenBy stepChoosesBy(const Ui& ui) {
  return takesDecoded(ui) ? chosenBy(ui.workspace().decoding.strategy) : ChosenBy::Greedy;
}

std::optional<std::string> prefixBeside(const Ui& ui, int by) {
  const TabText open{ui.workspace().text, ui.workspace().source};
  const auto& way = ui.snapshot.decoded->way;
  if (!way || !way->leadsThrough(open.text, open.source)) return std::nullopt;
  std::vector<std::size_t> ends{way->from.text.size()};
  for (const DecodedToken& place : way->tokens)
    if (place.end > ends.back()) ends.push_back(place.end);
  const auto here = std::ranges::find_if(ends, [&](std::size_t end) { return end >= open.text.size(); });
  const auto at = std::clamp<std::ptrdiff_t>(here - ends.begin() + by, 0, std::ssize(ends) - 1);
  const std::size_t end = ends[static_cast<std::size_t>(at)];
  return end == open.text.size() ? std::nullopt : std::optional(way->to.substr(0, end));
}

std::string continuationBytes(const Ui& ui) {
  const Snapshot& snapshot = ui.snapshot;
  return whyFull(ui).empty() && isDecodedNow(ui) ? snapshot.model->bytesOf(snapshot.decoded->continuation)
                                                 : "";
}

void TimelinePanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{{area.x, area.y, area.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  Box rest = area.inset(16, 8);
  // A model that fills gaps writes nothing on, nor does a trace from elsewhere.
  const bool writesOn = ui.snapshot.model->continues() && !ui.snapshot.model->hasNoWeights();
  if (!ui.snapshot.model->config || writesOn) showDecoding(ui, rest);
  constexpr float leastStrip = 44;
  if (rest.height < leastStrip) return;
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  strip_.show(ui, timelineScene(input), rest);
}

// Numbers of decoding are for whoever looks at decoding, or asks for one.
static bool showsSettings(const Ui& ui) {
  const std::string& view = ui.workspace().view;
  return ui.workspace().offersAll() || view == "beam" || view == "next_token" || !numberAskedFor(ui).empty();
}

namespace {

const char* generateLabel(const Ui& ui) {
  const auto& config = ui.snapshot.model->config;
  return config && config->isEncoderDecoder() ? "Translate" : "Generate";
}

// The width of all buttons that append, or go through what was decoded.
float appendingWidth(const Ui& ui) {
  constexpr float gap = 8, placeGap = 4;
  const float places = isOnWay(ui.workspace()) ? 2 * (Theme::control + placeGap) : 0;
  return widgets::buttonWidth(ui, generateLabel(ui)) + widgets::buttonWidth(ui, "Add token") + 2 * gap +
         places;
}

}  // namespace

void TimelinePanel::showDecoding(Ui& ui, Box& rest) {
  Box row = rest.takeTop(Theme::control);
  showStrategies(ui, row);
  showButtons(ui, row);
  auto numbers = shownNumbers(ui.workspace(), numberAskedFor(ui));
  if (ui.workspace().view == "beam" && ui.workspace().decoding.strategy == DecodingStrategy::Beam)
    numbers.clear();  // the tree has them already
  if (!showsSettings(ui)) numbers.clear();
  row.takeLeft(24);
  if (widthOf(ui, numbers) <= row.width) {
    showNumbers(ui, numbers, row);
  } else if (rest.height > Theme::control + 40) {
    rest.takeTop(4);
    showNumbers(ui, numbers, rest.takeTop(Theme::control));
  }
}

void TimelinePanel::showStrategies(Ui& ui, Box& row) {
  struct Choice {
    const char* label;
    DecodingStrategy strategy;
    const char* tip;
  };
  static constexpr Choice choices[] = {
      {"Greedy", DecodingStrategy::Greedy, "Always the most probable token, argmax p(y | text)   G"},
      {"Sampling", DecodingStrategy::Sampling, "A token sampled from p(y | text)   S"},
      {"Beam search", DecodingStrategy::Beam, "Best of several hypotheses: the largest Σ log p   B"},
  };
  Decoding decoding = ui.workspace().decoding;
  for (const Choice& choice : choices) {
    if (widgets::button(ui, choice.label, row.takeLeft(widgets::buttonWidth(ui, choice.label)),
                        {.on = decoding.strategy == choice.strategy, .tip = choice.tip})) {
      decoding.strategy = choice.strategy;
      ui.emit(commands::setDecoding(decoding, nameOf(choice.strategy)));
    }
    row.takeLeft(4);
  }
  row.takeLeft(8);
  const float width = widgets::buttonWidth(ui, "Constraints…");
  const bool hasRoom = width + appendingWidth(ui) <= row.width;  // else Shift+C and the palette open them
  if ((!ui.workspace().offersAll() || !hasRoom) && ui.workspace().decoding.constraint.isOff()) return;
  if (widgets::button(ui, "Constraints…", row.takeLeft(width),
                      {.look = widgets::Look::Raised,
                       .on = !decoding.constraint.isOff(),
                       .tip = "Regular expression and banned tokens for the continuation"}))
    ui.ask(Request::Constrain);
}

void TimelinePanel::showButtons(Ui& ui, Box& row) {
  const std::string full = whyFull(ui);
  const std::optional<DeadEnd>& deadEnd = ui.snapshot.decoded->deadEnd;
  const auto append = [&](const char* label, widgets::Look look, const std::string& bytes, ChosenBy by,
                          const char* tip) {
    const Box box = row.takeRight(widgets::buttonWidth(ui, label));
    row.takeRight(8);
    const bool constrained = !ui.workspace().decoding.constraint.isOff();
    const std::string why = !full.empty()    ? full
                            : !bytes.empty() ? tip
                            : deadEnd        ? "dead end: " + describe(*deadEnd)
                            : constrained    ? "the constraint allows no token"
                                             : "the model ends the text here";
    if (widgets::button(ui, label, box, {.look = look, .enabled = !bytes.empty(), .tip = why}))
      ui.emit(commands::appendText(ui.snapshot.pass->text, bytes, by));
  };
  append(generateLabel(ui), widgets::Look::Raised, continuationBytes(ui),
         chosenBy(ui.workspace().decoding.strategy), "Append all generated tokens   Shift Space");
  append("Add token", widgets::Look::Primary, nextBytes(ui), stepChoosesBy(ui),
         !takesDecoded(ui) ? "Append the most probable token   Space"
         : ui.workspace().decoding.strategy == DecodingStrategy::Sampling
             ? "Append the sampled token   Space"
             : "Append the first generated token   Space");
  showPlaces(ui, row);
}

// Back and forth in what was decoded.
void TimelinePanel::showPlaces(Ui& ui, Box& row) {
  if (!isOnWay(ui.workspace())) return;
  const auto go = [&](const char* label, const char* icon, int by, const char* tip) {
    const std::optional<std::string> prefix = prefixBeside(ui, by);
    const Box box = row.takeRight(Theme::control);
    row.takeRight(4);
    if (widgets::button(
            ui, label, box,
            {.look = widgets::Look::Raised, .enabled = prefix.has_value(), .icon = icon, .tip = tip}))
      ui.emit(commands::goToPrefix(*prefix));
  };
  go("Forward", "›", 1, "Forward one token   Shift Backspace");
  go("Back", "‹", -1, "Back one token; generated tokens are kept   Backspace");
}

}  // namespace glassformer
