#include "app/panels/why_panel.h"

#include <algorithm>
#include <cmath>

#include "app/document/change_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/document/workspace.h"
#include "app/drawing/compared_side.h"
#include "app/explain/explain.h"
#include "app/explain/index_meaning.h"
#include "app/explain/leaf_reasons.h"
#include "app/explain/shortened_name.h"
#include "app/explain/value_words.h"
#include "app/panels/action.h"
#include "app/panels/number_change.h"
#include "app/panels/opened_passes.h"
#include "app/panels/pinned_numbers.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float operandHeight = 24, termGap = 8, valueWidth = 84, factorWidth = 88, scaledWidth = 136,
                whyWidth = 576, leastPassWidth = 24;

float heightOf(const Term& term) {
  return static_cast<float>(term.factor && term.other ? 2 : 1) * operandHeight + termGap;
}

// What the list is called: how its terms make the number.
std::string listWords(const Derivation& d) {
  const std::string count = countWords(static_cast<std::int64_t>(d.terms.size()), "term");
  switch (d.form) {
    case Form::Softmax:
      return "ITS SCORE, THEN THE OTHERS OF ITS ROW: " + count;
    case Form::Share:
      return "ITS SHARE OF THE SUM OF: " + count;
    case Form::Quotient:
      return "THE FIRST DIVIDED BY THE SECOND: " + count;
    case Form::Largest:
      return "THE LARGEST OF: " + count;
    case Form::Masked:
      return d.terms.empty() ? "MASKED: THIS KEY CANNOT BE SEEN" : "WHAT THE MASK WROTE OVER: " + count;
    case Form::Spread:
      return "THE SPREAD OF: " + count;
    case Form::Normalized:
      return "ITS NUMBER BEFORE THE NORM, THEN THE OTHERS: " + count;
    case Form::Function:
      return "A FUNCTION OF THE SUM OF: " + count;
    case Form::Capped:
      return "THE SOFT CAP OF THE SUM OF: " + count;
    case Form::Gate:
      return "A GATE: " + count;
    case Form::Product:
      return "THE PRODUCT OF: " + countWords(static_cast<std::int64_t>(d.terms.size()), "factor");
    case Form::Count:
      return "HOW MANY THERE ARE OF: " + count;
    case Form::Sum:
      break;
  }
  return "THE SUM OF: " + count;
}

double largestOf(const Derivation& d) {
  double largest = d.form == Form::Softmax ? -INFINITY : 0;
  for (const Term& term : d.terms)
    largest = std::max(largest, d.form == Form::Softmax ? term.value() : std::abs(term.value()));
  return largest;
}

// How much of the number a term makes: of a softmax its exponential, else its size, beside the largest one.
double shareOf(const Derivation& d, const Term& term, double largest) {
  if (d.form == Form::Product) return NAN;  // factors are no parts of it
  return d.form == Form::Softmax ? std::exp(term.value() - largest) : std::abs(term.value()) / largest;
}

// Whether an intervention wrote over what the terms give.
bool isChanged(const Derivation& d, float value) {
  const double made = d.value(), held = static_cast<double>(value);
  return std::isfinite(made) && std::isfinite(held) && std::abs(made - held) > 2e-3 * (1 + std::abs(held));
}

constexpr const char *runningAgain = "Running its passes …",
                     *lookingForTerms = "Searching the readers of this value …";

std::string coefficientWords(float coefficient) {
  return coefficient == 1 ? "" : formatted(coefficient) + " · ";
}

}  // namespace

void WhyPanel::ask(const Target& target) {
  trail_ = {{target.cell}}, at_ = first_ = 0;
  trail_.front().cell.rowDimension = trail_.front().cell.columnDimension = -1;
  source_ = target.source;
  open();
}

void WhyPanel::ask(const Pin& pin) {
  Target origin;
  origin.cell = {.tensor = pin.in->point, .index = pin.in->index};
  ask(origin);
  follow({.tensor = pin.point, .index = pin.index}, pin.in->pass);
}

Box WhyPanel::place(const Ui&, Point window) const {
  const float width = std::min(whyWidth, window.x - 32);
  return {window.x - width - 8, 56, width, window.y - 72};
}

const Snapshot& WhyPanel::asked(const Ui& ui) const {
  Target target;
  target.source = source_;
  return snapshotOf(ui.snapshot, target);
}

void WhyPanel::follow(const TensorRef& cell, int pass) {
  const int origin = pass < 0 ? -1 : current().pass < 0 ? at_ : current().origin;
  trail_.resize(static_cast<std::size_t>(at_) + 1);
  trail_.push_back({cell, origin, pass});
  step(1);
}

const OpenedAcross* WhyPanel::openedFor(Ui& ui, int origin) {
  return ui.passes.of(ui, source_, trail_[static_cast<std::size_t>(origin)].cell);
}

std::shared_ptr<const Snapshot> WhyPanel::openedHere(Ui& ui) {
  const OpenedAcross* const opened = openedFor(ui, current().origin);
  const auto pass = static_cast<std::size_t>(current().pass);
  return opened && pass < opened->passes.size() ? opened->passes[pass] : nullptr;
}

const Snapshot* WhyPanel::here(Ui& ui) { return current().pass < 0 ? &asked(ui) : openedHere(ui).get(); }

// Of another pass only the place lights up, for there the shown one has another number; and of another text
// no token.
Target WhyPanel::targetIn(const Ui& ui, const Snapshot& snapshot, const TensorRef& cell) const {
  Target target = targetOf(snapshot, cell);
  target.source = source_;
  const Snapshot& shown = asked(ui);
  if (&snapshot == &shown) return target;
  if (const auto number = namedNumber(snapshot, cell); number && number->isWeight) return target;
  target.cell = {};
  if (snapshot.pass->trace->tokens() != shown.pass->trace->tokens())
    target.token = target.query = target.key = Target::none;
  return target;
}

void WhyPanel::step(int by) {
  at_ = std::clamp(at_ + by, 0, static_cast<int>(trail_.size()) - 1);
  first_ = 0;
}

void WhyPanel::content(Ui& ui, const Box& area) {
  made_.clear();
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(16, 12);
  showTitle(ui, rest);
  const Snapshot* const snapshot = here(ui);
  const auto number = snapshot ? namedNumber(*snapshot, current().cell) : std::nullopt;
  if (!number)
    return widgets::paragraph(ui, rest, ui.animating ? runningAgain : "The text has no such value any more.",
                              ui.theme.note());
  if (ui.nextHover.empty()) ui.nextHover = targetIn(ui, *snapshot, current().cell);
  if (!snapshot->pass->name.empty())
    widgets::paragraph(ui, rest, "In another pass: " + snapshot->pass->name,
                       {FontFace::Ui, Theme::body, ui.theme.accent}, 4);
  showNumber(ui, *snapshot, *number, rest);
  const bool isHeld = current().pass < 0 && showChange(ui, rest);
  offerFlip(ui, *snapshot, rest);
  if (number->isWeight) {
    made_ = {current().cell.tensor};
    return widgets::paragraph(ui, rest, isHeld ? "A weight, edited." : "A weight of the model, as loaded.",
                              ui.theme.note());
  }
  showMade(ui, *snapshot, number->value, rest);
}

void WhyPanel::showMade(Ui& ui, const Snapshot& snapshot, float value, Box& rest) {
  const TensorRef& cell = current().cell;
  if (current().pass < 0 && comparesPasses(snapshot, cell)) {
    if (const OpenedAcross* const opened = openedFor(ui, at_))
      return showTerms(ui, opened->provenance, value, rest);
    if (ui.animating) widgets::paragraph(ui, rest, runningAgain, ui.theme.note());
    return;
  }
  std::optional<Provenance> shown;
  const std::optional<Provenance>* provenance = &shown;
  if (current().pass < 0)
    shown = provenanceOf(sourcesOf(snapshot), cell);
  else
    provenance = terms_.of(openedHere(ui), cell);
  if (!provenance) {
    ui.animating = true;
    return widgets::paragraph(ui, rest, lookingForTerms, ui.theme.note());
  }
  if (*provenance) return showTerms(ui, **provenance, value, rest);
  if (const std::string words = groundWords(cell.tensor); !words.empty())
    return widgets::paragraph(ui, rest, words, ui.theme.note());
  if (current().pass >= 0) return;
  Target target;
  target.cell = cell, target.source = source_;
  if (const auto explanation = explain(ui.snapshot, target))
    for (const std::string& line : explanation->lines) widgets::paragraph(ui, rest, line, ui.theme.mono(), 2);
}

void WhyPanel::showTitle(Ui& ui, Box& rest) {
  Box title = rest.takeTop(40);
  ui.drawText({title.x, title.y + 16}, "How computed", ui.theme.heading());
  const auto button = [&](const char* label, const char* icon, const char* tip, bool enabled) {
    const Box box = title.takeRight(36);
    return widgets::button(ui, label, {box.x + 4, box.y, 32, 32},
                           {.enabled = enabled, .icon = icon, .tip = tip});
  };
  const auto pressed = [&](ImGuiKey key) { return !ui.numbers.typing() && ImGui::IsKeyPressed(key, true); };
  if (button("Close##why", "✕", "close   Esc", true)) close();
  const bool mayGoOn = at_ + 1 < static_cast<int>(trail_.size());
  if (button("Forward##why", "›", "forward   →", mayGoOn) || pressed(ImGuiKey_RightArrow)) step(1);
  if (button("Back##why", "‹", "back   ←", at_ > 0) || pressed(ImGuiKey_LeftArrow)) step(-1);
  const Box box = title.takeRight(56);
  const Pin pin = pinOfCurrent();
  const bool isPinned = std::ranges::find(ui.workspace().pins, pin) != ui.workspace().pins.end();
  if (widgets::button(ui, "Pin##why", {box.x + 4, box.y, 48, 32},
                      {.on = isPinned, .tip = "Keep this value, of its own pass, next to the picture"}))
    ui.emit(commands::togglePin(pin));
  ui.drawText({title.right() - 8, title.y + 16},
              std::to_string(at_ + 1) + " of " + std::to_string(trail_.size()), ui.theme.note(), Align::End);
}

Pin WhyPanel::pinOfCurrent() const {
  Pin pin = pinOf(current().cell);
  if (current().pass < 0) return pin;
  const TensorRef& origin = trail_[static_cast<std::size_t>(current().origin)].cell;
  pin.in = {origin.tensor, origin.index, current().pass};
  return pin;
}

void WhyPanel::showNumber(Ui& ui, const Snapshot& snapshot, const NamedNumber& number, Box& rest) {
  const TextStyle mono = ui.theme.mono();
  const Box large = rest.takeTop(40);
  ui.drawText({large.x, large.center().y}, valueWords(sourcesOf(snapshot), number.point->name, number.value),
              {FontFace::Mono, Theme::large, ui.theme.text});
  widgets::paragraph(ui, rest, number.point->name + " " + indexWords(*number.point, current().cell), mono, 4);
  if (const std::string where = indexMeanings(snapshot, *number.point, current().cell);
      !where.empty() && !number.isWeight)
    widgets::paragraph(ui, rest, where, mono, 4);
  if (!number.point->meaning.empty()) widgets::paragraph(ui, rest, number.point->meaning, ui.theme.note(), 4);
  if (!number.point->equation.empty()) widgets::paragraph(ui, rest, number.point->equation, mono, 4);
}

// The number itself as a field, where it can be another one.
bool WhyPanel::showChange(Ui& ui, Box& rest) {
  Target target;
  target.cell = current().cell, target.source = source_;
  const auto change = changeOf(ui, target);
  if (!change) return false;
  rest.takeTop(4);
  Box row = rest.takeTop(Theme::control);
  rest.takeTop(4);
  const float held = widgets::buttonWidth(ui, "Remove edit");
  if (change->back &&
      widgets::button(ui, "Remove edit##why", row.takeRight(held),
                      {.look = widgets::Look::Raised, .tip = "Value as the model computes it"}))
    ui.emit(*change->back);
  if (change->back) row.takeRight(8);
  row.width = std::min(row.width, 240.0f);
  const float to = widgets::numberField(ui, changeField, row, change->value, change->options);
  if (to != change->value)
    ui.emit(change->to(to, std::string(changeField) + "." + std::to_string(ui.numbers.gesture)));
  return change->back.has_value();
}

void WhyPanel::offerFlip(Ui& ui, const Snapshot& snapshot, Box& rest) {
  const TensorRef& cell = current().cell;
  const bool isOfAttention =
      cell.tensor.ends_with("hook_pattern") || cell.tensor.ends_with("hook_attn_scores");
  const bool isOpen = current().pass < 0 && source_ == Target::Source::This && !ui.snapshot.isDifference();
  if (!isOfAttention || !isOpen || snapshot.model->hasNoWeights() || !snapshot.pass->hasTrace()) return;
  const AttentionSite site = placeOfPoint(cell.tensor).site();
  const Target at = targetOf(snapshot, cell);
  rest.takeTop(4);
  Box row = rest.takeTop(Theme::control);
  rest.takeTop(4);
  row.width = std::min(row.width, widgets::buttonWidth(ui, "Find edits"));
  if (!widgets::button(ui, "Find edits", row,
                       {.look = widgets::Look::Raised,
                        .tip = "Smallest edits that move this head's top key away from this cell, or to it"}))
    return;
  ui.emit({[head = HeadId{at.layer, at.head, site}, query = at.query, key = at.key, site](Workspace& w) {
             commands::selectHead(head).apply(w);
             commands::selectCell(query, key, site).apply(w);
             commands::choosePicture("influence", "smallest change").apply(w);
             w.settings.choose(flipsAsked, flipsOfHead);
             w.settings.choose(wantedKey, std::to_string(key));
           },
           "", ""});
  ui.said = "Previous view: " + keyText(actionOf("previous-view"));
  close();
}

// Of all its terms, in sight or not.
void WhyPanel::noteMade(Ui& ui, const Derivation& derivation) {
  const OpenedAcross none;
  const OpenedAcross* const across = openedFor(ui, current().pass >= 0 ? current().origin : at_);
  const auto note = [&](Cell cell) {
    if (!cell) return;
    const std::string tensor =
        operandOf(asked(ui), across ? *across : none, current().pass, cell).operand.cell.tensor;
    if (!tensor.empty() && std::ranges::find(made_, tensor) == made_.end()) made_.push_back(tensor);
  };
  note(derivation.gamma), note(derivation.beta);
  for (const Term& term : derivation.terms) note(term.factor), note(term.other);
}

void WhyPanel::showTerms(Ui& ui, const Provenance& provenance, float value, Box rest) {
  const Derivation& derivation = provenance.derivation;
  noteMade(ui, derivation);
  const auto isScaled = [](const Term& term) { return term.factor && term.coefficient != 1; };
  factorWidth_ = std::ranges::any_of(derivation.terms, isScaled) ? scaledWidth : factorWidth;
  for (const auto& [name, cell] : {std::pair("γ", derivation.gamma), std::pair("β", derivation.beta)})
    if (cell)
      showOperand(ui, cell, std::string(name) + " " + formatted(*cell), name, rest.takeTop(operandHeight));
  const Box heading = rest.takeTop(32);
  widgets::heading(ui, {heading.x, heading.y + 18}, listWords(derivation));
  if (derivation.form == Form::Masked && derivation.terms.empty()) return;
  const Box foot = rest.takeBottom(operandHeight);
  const int count = static_cast<int>(derivation.terms.size());
  if (rest.contains(ui.pointer())) first_ -= static_cast<int>(std::lround(ImGui::GetIO().MouseWheel * 3));
  first_ = std::clamp(first_, 0, std::max(count - 1, 0));
  const double largest = largestOf(derivation);
  int row = first_;
  for (; row < count; ++row) {
    const Term& term = derivation.terms[static_cast<std::size_t>(row)];
    if (heightOf(term) > rest.height) break;
    showTerm(ui, term, {shareOf(derivation, term, largest), derivation.form == Form::Product}, row,
             rest.takeTop(heightOf(term)));
  }
  std::string more = row < count ? countWords(count - row, "smaller one") : "";
  if (!more.empty() && addsUp(derivation.form))
    more += ": " + formatted(static_cast<float>(provenance.sumFrom(static_cast<std::size_t>(row))));
  ui.drawText({foot.x, foot.center().y}, more, ui.theme.note());
  ui.drawText({foot.right(), foot.center().y},
              (isChanged(derivation, value) ? "With the edits here: " : "computed from these: ") +
                  (derivation.form == Form::Product ? formattedCounted(derivation.value())
                                                    : formatted(static_cast<float>(derivation.value()))),
              ui.theme.note(), Align::End);
}

void WhyPanel::showTerm(Ui& ui, const Term& term, TermLook look, int row, Box box) {
  const auto& [share, isCounted] = look;
  const Box value = box.takeLeft(valueWidth);
  ui.drawText({value.right() - 12, value.y + operandHeight / 2},
              isCounted ? formattedCounted(term.value()) : formatted(static_cast<float>(term.value())),
              ui.theme.mono(), Align::End);
  if (std::isfinite(share)) {
    const float width = (valueWidth - 12) * static_cast<float>(share);
    const Rgba colour = signColor(term.value(), ui.theme.dark);
    ui.draw(Rect{
        {value.right() - 12 - width, value.y + operandHeight - 3, width, 3}, colour, {0, 0, 0, 0}, 1, 1});
  }
  const std::string id = "term" + std::to_string(row);
  // A single operand as it is has been said already.
  const bool isCopy = !term.other && term.coefficient == 1;
  if (term.factor)
    showOperand(ui, term.factor, isCopy ? "" : coefficientWords(term.coefficient) + formatted(*term.factor),
                id + ".0", box.takeTop(operandHeight));
  if (term.other)
    showOperand(ui, term.other, "· " + formatted(*term.other), id + ".1", box.takeTop(operandHeight));
}

void WhyPanel::showOperand(Ui& ui, Cell cell, const std::string& factor, const std::string& id, Box box) {
  const OpenedAcross none;
  const bool isInPass = current().pass >= 0;
  const OpenedAcross* const across = openedFor(ui, isInPass ? current().origin : at_);
  const OpenedAcross& opened = across ? *across : none;
  const auto [operand, pass] = operandOf(asked(ui), opened, current().pass, cell);
  const Snapshot& snapshot = pass < 0 ? asked(ui) : *opened.passes[static_cast<std::size_t>(pass)];
  const auto number = operand.cell.empty() ? std::nullopt : namedNumber(snapshot, operand.cell);
  const std::string name = number ? number->point->name : "not kept";
  if (number) {
    if (widgets::listRow(ui, name + "##" + id, box, false)) follow(operand.cell, pass);
    if (box.contains(ui.pointer())) ui.nextHover = targetIn(ui, snapshot, operand.cell);
  }
  const std::string of = pass == current().pass ? "" : pass < 0 ? ", shown pass" : ", " + snapshot.pass->name;
  box = box.inset(8, 0);
  const float y = box.center().y;
  if (!factor.empty()) ui.drawText({box.takeLeft(factorWidth_).x, y}, factor, ui.theme.mono());
  std::string index = number ? indexWords(*number->point, operand.cell) : "";
  if (const std::string words = number ? wordsAt(snapshot, *number->point, operand.cell) : ""; !words.empty())
    index = words + "  " + index;
  const TextStyle style{FontFace::Mono, Theme::small, number ? ui.theme.accent : ui.theme.quiet};
  const auto width = [&](const std::string& text) {
    return ui.metrics().width(text, style.face, style.size);
  };
  ui.drawText({box.right(), y}, index, style, Align::End);
  box.width -= width(index) + 8;
  // Of the name as much as tells it apart, whatever is left for the pass.
  const float least = std::min(width(tellingName(name)), box.width);
  const std::string shown = shortenedName(name, std::max(box.width - width(of), least), width);
  ui.drawText({box.takeLeft(width(shown)).x, y}, shown, style, Align::Start);
  if (box.width > leastPassWidth) ui.drawText({box.x, y}, of, style, Align::Start, box.width);
}

}  // namespace glassformer
