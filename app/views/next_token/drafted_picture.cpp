#include "app/views/next_token/drafted_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/draft_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/drafted_text.h"
#include "app/scene/format.h"
#include "app/scene/legend.h"
#include "app/views/next_token/next_token_picture.h"

namespace glassformer {

namespace {

constexpr float leastDraftRow = 30, mostDraftRow = 48, leastDraftChip = 54, mostDraftChip = 92,
                passWidth = 58, candidateRow = 24;

class DraftedPicture {
 public:
  explicit DraftedPicture(const SceneInput& input)
      : picture_(input), scene_(picture_.scene), input_(input), theme_(input.theme) {
    count_ = scene_.sources.find(drafting::token)->extent[0];
    chosen_ = chosenEvent();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addHeader(area);
    Box right = area.takeRight(std::clamp(area.width * 0.38f, 220.0f, 460.0f));
    area.width -= 20;
    addSummary(area.takeTop(28));
    if (offered().empty())
      addText(scene_, {area.x, area.takeTop(22).center().y},
              "No smaller model with these tokens ships: its own first half drafts.", theme_.note())
          .maxWidth = area.width;
    addPasses(area);
    addDecision(right);
    return std::move(scene_);
  }

 private:
  float value(const char* tensor, int i) const {
    return valueOf(scene_.sources, {tensor, {i}}).value_or(NAN);
  }
  float value(const char* tensor, int i, int j) const {
    return valueOf(scene_.sources, {tensor, {i, j}}).value_or(NAN);
  }
  int whole(const char* tensor, int i) const { return static_cast<int>(value(tensor, i)); }
  Drafted fate(int event) const { return static_cast<Drafted>(whole(drafting::fate, event)); }
  std::string label(int event) const { return input_.entryLabel(whole(drafting::token, event)); }
  int proposals() const { return proposalsAtOnce(input_.workspace.settings); }

  // The one that was chosen, where it decides anything; else the first refusal, or the first of all.
  int chosenEvent() const {
    const std::string wanted(input_.workspace.settings.chosen(draftedChoice));
    const int asked = wanted.empty() ? -1 : std::atoi(wanted.c_str());
    if (asked >= 0 && asked < count_) return asked;
    for (int i = 0; i < count_; ++i)
      if (fate(i) == Drafted::Refused) return i;
    return 0;
  }

  // Those that ship with the same tokens; the smallest drafts without being chosen.
  const std::vector<OfferedModel>& offered() const { return input_.snapshot.kept.offered; }
  bool draftsByHalf() const {
    return offered().empty() || input_.workspace.settings.chosen(draftChoice) == draftByHalf;
  }
  std::vector<Choice> smallerModels() const {
    constexpr std::size_t most = 2;
    const std::string_view chosen = input_.workspace.settings.chosen(draftChoice);
    const bool isKnown = std::ranges::find(offered(), chosen, &OfferedModel::name) != offered().end();
    std::vector<Choice> choices;
    for (const OfferedModel& model : std::span(offered()).first(std::min(most, offered().size()))) {
      const bool on = isKnown ? model.name == chosen : choices.empty() && !draftsByHalf();
      choices.push_back(
          choice(model.name, "the model of that name proposes: " + model.about, on, draftChoice, model.name));
    }
    return choices;
  }

  static Choice choice(std::string label, std::string tip, bool on, const char* name, std::string chosen) {
    return {std::move(label), std::move(tip), on, commands::changeSettings([name, chosen](ViewSettings& s) {
              s.choose(name, chosen);
              s.choose(draftedChoice, "");
            })};
  }

  void addHeader(Box& area) {
    const int at = proposals();
    std::vector<Choice> who = smallerModels();
    who.push_back(choice("First half", "Draft by the first half of the blocks of this model", draftsByHalf(),
                         draftChoice, draftByHalf));
    std::vector<Choice> many{
        choice("2", "Number of tokens proposed per pass", at == fewProposals, proposalsChoice, "2"),
        choice("4", "Number of tokens proposed per pass", at == usualProposals, proposalsChoice, ""),
        choice("8", "Number of tokens proposed per pass", at == manyProposals, proposalsChoice, "8")};
    addViewHeader(scene_, input_, area,
                  {"Speculative decoding",
                   "accepted where u < p / q",

                   {who, many}});
  }

  void addSummary(const Box& box) {
    const int passes = whole(drafting::counts, drafting::Passes);
    int tokens = 0;
    for (int i = 0; i < count_; ++i) tokens += fate(i) != Drafted::Refused && fate(i) != Drafted::Dropped;
    const int proposed = whole(drafting::counts, drafting::Proposed);
    const std::string words = countWords(tokens, "token") + " in " + countWords(passes, "pass", "passes") +
                              "; " + std::to_string(whole(drafting::counts, drafting::AcceptedCount)) +
                              " of " + std::to_string(proposed) + " proposed accepted";
    addText(scene_, {box.x, box.center().y}, words, theme_.strong()).maxWidth = box.width;
    HitRegion& hit = addHitRegion(scene_, box, {drafting::counts, {drafting::Passes}}, "passes");
    hit.target.text = "The model itself was run " + countWords(passes, "time") + " instead of " +
                      std::to_string(tokens) + ", the draft " +
                      countWords(whole(drafting::counts, drafting::DraftCalls), "time");
  }

  void addPasses(Box area) {
    const int passes = whole(drafting::counts, drafting::Passes);
    const float height =
        std::clamp(area.height / static_cast<float>(std::max(passes, 1)), leastDraftRow, mostDraftRow);
    const int fitting = std::max(1, static_cast<int>(area.height / height + 0.01f));
    // From the pass of the chosen token on, where not all fit.
    const int first = passes <= fitting
                          ? 0
                          : std::clamp(whole(drafting::round, chosen_) - fitting / 2, 0, passes - fitting);
    int event = 0;
    while (event < count_ && whole(drafting::round, event) < first) ++event;
    for (int pass = first; pass < std::min(passes, first + fitting); ++pass) {
      Box row = area.takeTop(height);
      const Box name = row.takeLeft(passWidth);
      addText(scene_, {name.x, name.center().y}, "pass " + std::to_string(pass + 1), theme_.note());
      const int from = event;
      while (event < count_ && whole(drafting::round, event) == pass) ++event;
      addPass(from, event, row);
    }
  }

  // Where not all tokens of a pass fit, those that were dropped are only counted.
  void addPass(int from, int to, Box row) {
    const auto columns = static_cast<float>(std::max(proposals() + 1, to - from));
    const bool all = row.width / columns >= leastDraftChip;
    int dropped = 0;
    for (int event = from; event < to; ++event) dropped += fate(event) == Drafted::Dropped;
    const float counted = all || dropped == 0 ? 0.0f : 30.0f;
    const auto shown = static_cast<float>(all ? to - from : to - from - dropped);
    const float width = std::min(std::clamp(row.width / columns, leastDraftChip, mostDraftChip),
                                 (row.width - counted) / shown);
    for (int event = from; event < to; ++event) {
      if (all || fate(event) != Drafted::Dropped) {
        addChip(event, row.takeLeft(width).inset(1.5f, 3));
      } else if (event == from || fate(event - 1) != Drafted::Dropped) {
        addText(scene_, row.takeLeft(counted).center(), "−" + std::to_string(dropped), theme_.note(),
                Align::Middle);
      }
    }
  }

  Rgba colorOf(Drafted fate) const {
    switch (fate) {
      case Drafted::Accepted:
        return theme_.accent;
      case Drafted::Refused:
        return theme_.broken;
      case Drafted::Dropped:
        return theme_.line;
      default:
        return theme_.feedForward;
    }
  }

  void addChip(int event, const Box& box) {
    const Drafted what = fate(event);
    const bool gone = what == Drafted::Refused || what == Drafted::Dropped;
    const TensorRef decided = decidedBy(event);
    const bool pointed = input_.hover.cell.tensor == decided.tensor && input_.hover.cell.index[0] == event;
    scene_.add(Rect{box, gone ? theme_.ground : mix(theme_.ground, colorOf(what), 0.18f),
                    event == chosen_ || pointed ? theme_.text : mix(theme_.ground, colorOf(what), 0.8f), 5,
                    event == chosen_ ? 2.0f : 1.0f});
    const Rgba ink = gone ? theme_.quiet : theme_.text;
    const std::string words = label(event);
    const float room = box.width - 12;
    addText(scene_, {box.x + 6, box.y + box.height * 0.32f}, words, {FontFace::Mono, Theme::small, ink})
        .maxWidth = room;
    const float width = std::min(room, input_.metrics.width(words, FontFace::Mono, Theme::small));
    if (gone)
      scene_.add(
          Line{{{box.x + 5, box.y + box.height * 0.34f}, {box.x + 7 + width, box.y + box.height * 0.34f}},
               colorOf(what == Drafted::Dropped ? Drafted::Dropped : Drafted::Refused),
               1.5f});
    addShare(event, {box.x + 6, box.y + box.height * 0.73f}, room);
    HitRegion& hit = addHitRegion(scene_, box, decided, "drafted " + std::to_string(event));
    hit.target.entry = whole(drafting::token, event);
    hit.target.text = fateWords(event);
    hit.click = [event](const Target&) { return commands::choose(draftedChoice, std::to_string(event)); };
  }

  // The number that decided on a token: p / q of what was proposed, else what is known of it.
  TensorRef decidedBy(int event) const {
    for (const char* tensor : {drafting::ratio, drafting::target})
      if (std::isfinite(value(tensor, event))) return {tensor, {event}};
    return {drafting::draft, {event}};
  }

  // p, of all that the model was asked about.
  void addShare(int event, Point at, float room) {
    if (std::isnan(value(drafting::target, event))) return;
    const std::string words = formattedPercent(value(drafting::target, event));
    const TextStyle style{FontFace::Mono, Theme::small - 3, theme_.quiet};
    if (input_.metrics.width(words, style.face, style.size) > room + 4) return;
    addText(scene_, at, words, style).value = TensorRef{drafting::target, {event}};
  }

  // What became of a token, in words and numbers.
  std::string fateWords(int event) const {
    const std::string q = formattedPercent(value(drafting::draft, event)),
                      p = formattedPercent(value(drafting::target, event));
    const float ratio = value(drafting::target, event) / value(drafting::draft, event);
    switch (fate(event)) {
      case Drafted::Accepted:
        return ratio >= 1 ? "accepted: the model finds it at least as probable, p = " + p + ", q = " + q
                          : "accepted: u = " + formattedFixed(value(drafting::number, event), 3) +
                                " < p / q = " + formattedFixed(ratio, 3);
      case Drafted::Refused:
        return "rejected: u = " + formattedFixed(value(drafting::number, event), 3) +
               " ≥ p / q = " + formattedFixed(ratio, 3);
      case Drafted::Dropped:
        return "discarded: follows a rejected token, q = " + q;
      case Drafted::Corrected:
        return "sampled by the model instead, from (p − q)⁺";
      case Drafted::Own:
        return "sampled by the model after the accepted tokens, p = " + p;
    }
    return "";
  }

  // The two distributions that decided on the chosen token.
  void addDecision(Box area) {
    const Box title = area.takeTop(28);
    addText(scene_, {title.x, title.center().y}, "“" + label(chosen_) + "”", theme_.strong()).maxWidth =
        title.width;
    Box words = area.takeTop(40);
    for (const std::string& line :
         wrapped(input_.metrics, fateWords(chosen_), FontFace::Ui, Theme::small, words.width, 2))
      addText(scene_, {words.x, words.takeTop(18).center().y}, line, theme_.plain());
    const float beta = value(drafting::overlap, chosen_);
    addProbabilities(area.takeTop(44), std::isfinite(beta));
    float most = 0;
    for (int c = 0; c < drafting::listed; ++c)
      for (const char* tensor : {drafting::q, drafting::p})
        if (const float share = value(tensor, chosen_, c); std::isfinite(share)) most = std::max(most, share);
    Box list = area;
    list.takeBottom(48);
    for (int c = 0; c < drafting::listed && list.height >= candidateRow; ++c)
      if (std::isfinite(value(drafting::candidate, chosen_, c)))
        addCandidate(c, list.takeTop(candidateRow), most);
    if (!std::isfinite(beta)) return;
    const Box foot{list.x, list.y + 8, area.width, 40};
    const TensorRef overlap{drafting::overlap, {chosen_}};
    addText(scene_, {foot.x, foot.y + 10}, "β = Σ min(p, q) = " + formattedFixed(beta, 3), theme_.note())
        .maxWidth = foot.width;
    addText(scene_, {foot.x, foot.y + 30}, "min(p, q) + (p − q)⁺ = p", theme_.note()).maxWidth = foot.width;
    HitRegion& hit = addHitRegion(scene_, {foot.x, foot.y, foot.width, 20}, overlap, "overlap");
    hit.target.text = "probability that the drafted token is accepted";
  }

  void addProbabilities(const Box& box, bool both) {
    std::vector<LegendEntry> entries{{"q, the draft's", draftInk(), 0}};
    if (both)
      entries.insert(entries.end(), {{"min(p, q)", theme_.accent, 0}, {"(p − q)⁺", theme_.feedForward, 0}});
    else
      entries.push_back({"p, the model's", theme_.feedForward, 0});
    addLegend(scene_, input_, box, entries);
  }
  Rgba draftInk() const { return mix(theme_.ground, theme_.quiet, 0.6f); }

  void addCandidate(int c, const Box& box, float most) {
    const int token = static_cast<int>(value(drafting::candidate, chosen_, c));
    const bool isIt = token == whole(drafting::token, chosen_);
    Box row = box;
    const Box name = row.takeLeft(std::min(96.0f, box.width * 0.34f));
    addText(scene_, {name.x, name.center().y}, input_.entryLabel(token),
            {FontFace::Mono, Theme::small, isIt ? theme_.accent : theme_.text})
        .maxWidth = name.width - 8;
    const Box percent = row.takeRight(58);
    const auto ref = [&](const char* tensor) { return TensorRef{tensor, {chosen_, c}}; };
    const bool isKnown = std::isfinite(value(drafting::p, chosen_, c));
    const TensorRef said = ref(isKnown ? drafting::p : drafting::q);
    addText(scene_, {percent.right(), percent.center().y},
            formattedPercent(valueOf(scene_.sources, said).value_or(0)),
            {FontFace::Mono, Theme::small - 1, theme_.quiet}, Align::End)
        .value = said;
    if (std::isfinite(value(drafting::q, chosen_, c)))
      scene_.add(
          Bar{{row.x, row.center().y - 8, row.width, 6}, ref(drafting::q), {0, most}, draftInk(), false, 1});
    if (isKnown) {
      const Box track{row.x, row.center().y + 1, row.width, 6};
      const float shared = value(drafting::both, chosen_, c) / most * row.width;
      scene_.add(Bar{track, ref(drafting::both), {0, most}, theme_.accent, false, 0});
      scene_.add(Bar{{track.x + shared, track.y, track.width, track.height},
                     ref(drafting::beyond),
                     {0, most},
                     theme_.feedForward,
                     false,
                     0});
    }
    HitRegion& hit = addHitRegion(scene_, box, said);
    hit.target.entry = token, hit.tabStop = false;
    const float q = value(drafting::q, chosen_, c);
    hit.target.text = "“" + input_.entryLabel(token) + "”" +
                      (std::isfinite(q) ? ", for the draft " + formattedPercent(q) : "");
  }

  NextTokenPicture picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  int count_ = 0, chosen_ = 0;
};

}  // namespace

Scene draftedScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  if (!input.snapshot.model->continues())
    return emptyScene(input, "No speculative decoding", "a masked language model does not continue texts");
  if (input.snapshot.pass->trace->tokenCount() >= input.config().context)
    return emptyScene(input, "No room to continue", "the text fills the model's context");
  if (!input.snapshot.kept.missing.empty()) return emptyScene(input, "No draft", input.snapshot.kept.missing);
  if (!input.sources().contains(drafting::token))
    return emptyScene(input, "Speculative decoding", waitingWords(input));
  return DraftedPicture(input).drawn();
}

}  // namespace glassformer
