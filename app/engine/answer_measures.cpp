#include "app/engine/answer_measures.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/engine/patch_map.h"
#include "core/lens/across_changes.h"
#include "core/lens/contributions.h"
#include "core/lens/counterfactual.h"
#include "core/lens/patching.h"
#include "core/lens/rule_fit.h"

namespace glassformer {

namespace {

Prediction answerOf(const Trace& trace) {
  const int last = trace.tokenCount() - 1;
  return {last, likeliestEntry(trace, last)};
}

// Tries everything that is searched. False where it was stopped.
template <typename Search>
bool tryAll(Search& search, LivePass& pass, const ProgressCallback& watch, int most) {
  for (int tried = 0; !search.isDone(); ++tried) {
    if (!watch(std::min(tried, most), most)) return false;
    search.advance(pass);
  }
  return true;
}

ReplacementSearch replacementsOf(const MeasuredText& text) {
  return {text.pass.model(), text.trace,       text.standing, {answerOf(text.trace).position},
          text.signs,        replacementsTried};
}

TokenText changedBy(const TokenReplacement& change, TokenText text) {
  std::vector<int>& tokens = change.stream == Stream::Text ? text.tokens : text.source;
  tokens[static_cast<std::size_t>(change.position)] = change.token;
  return text;
}

// The place of a position among patchPlaces; the first difference of the pair decides.
int placeOf(const Alignment& alignment, const Trace& here, const Trace& other, int position) {
  const auto isChanged = [&](const Alignment::Column& column) {
    return column.a < 0 || column.b < 0 ||
           here.tokens()[static_cast<std::size_t>(column.a)] !=
               other.tokens()[static_cast<std::size_t>(column.b)];
  };
  const int own = alignment.columnOfA(position);
  if (isChanged(alignment[own])) return 1;
  if (position == here.tokenCount() - 1) return 3;
  return std::ranges::any_of(alignment.columns.begin(), alignment.columns.begin() + own, isChanged) ? 2 : 0;
}

}  // namespace

std::vector<float> answerWithoutParts(const MeasuredText& text,
                                      float (*number)(const AblationEffect& without)) {
  const auto parts = everyPartOff(text.pass.model().config());
  const Prediction answer = answerOf(text.trace);
  std::vector<float> cells;
  for (const auto& off : parts) {
    if (!text.watch(static_cast<int>(cells.size()), static_cast<int>(parts.size()))) return {};
    cells.push_back(off ? number(leaveOut(text.pass, text.trace, text.standing, *off, {answer})) : NAN);
  }
  return cells;
}

std::vector<float> headsThatFlip(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  HeadSetSearch search(text.pass.model(), text.trace, text.standing, {answerOf(text.trace).position},
                       headSetsTried);
  if (!tryAll(search, text.pass, text.watch, headSetsTried)) return {};
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column) {
      const HeadId head{row.layer, column, row.site};
      const bool belongs = std::ranges::any_of(search.found(), [&](const HeadSetSearch::Found& found) {
        return std::ranges::find(found.heads, head) != found.heads.end();
      });
      cells.push_back(column >= config.heads ? NAN : belongs ? 1.0f : 0.0f);
    }
  return cells;
}

OpenPasses madeByFlippingHeads(const TextAgain& text, int cell) {
  const ModelConfig& config = text.model->config();
  const int columns = causalColumns(config), head = cell % columns;
  if (head >= config.heads) return {};
  const CausalRow row = causalRows(config)[static_cast<std::size_t>(cell / columns)];
  return [text, head = HeadId{row.layer, head, row.site}] {
    ReplayedPass whole = text.whole();
    const int last = answerOf(*whole.trace).position;
    HeadSetSearch search(*text.model, *whole.trace, text.standing, {last}, headSetsTried);
    const auto isIn = [&](const HeadSetSearch::Found& found) {
      return std::ranges::find(found.heads, head) != found.heads.end();
    };
    for (LivePass pass(text.model); !search.isDone() && std::ranges::none_of(search.found(), isIn);)
      search.advance(pass);
    const auto found = std::ranges::find_if(search.found(), isIn);
    const std::vector<HeadId> heads = found == search.found().end() ? std::vector{head} : found->heads;
    Interventions off;
    for (const HeadId& each : heads) off.push_back(headOff(each));
    return anotherAnswerAcross(std::move(whole), text.with(nameOf(heads) + " ablated", off), last);
  };
}

std::optional<TokenText> changedVersion(const MeasuredText& text) {
  ReplacementSearch search = replacementsOf(text);
  while (!search.isDone() && search.found().empty()) {
    if (!text.watch(0, replacementsTried)) return std::nullopt;
    search.advance(text.pass);
  }
  if (search.found().empty()) return std::nullopt;
  return changedBy(search.found().front().change, {text.trace.tokens(), text.trace.source()});
}

std::vector<float> patchesOf(const MeasuredText& text, const PatchKind& kind) {
  const ModelConfig& config = text.pass.model().config();
  const auto rows = causalRows(config);
  const int columns = kind.byHead ? causalColumns(config) : static_cast<int>(std::size(patchPlaces));
  std::vector<float> cells(rows.size() * static_cast<std::size_t>(columns), NAN);
  const auto changed = text.partner ? std::optional(*text.partner) : changedVersion(text);
  if (!text.watch(0, 1)) return {};
  if (!changed) return cells;
  const auto other = text.pass.run(changed->tokens, text.standing, changed->source);
  const Alignment alignment = align(text.trace.tokens(), other->tokens());
  const Prediction answer = answerOf(text.trace);
  const int theirs = answerOf(*other).entry;
  const float before = lead(text.trace, answer.position, answer.entry, theirs);
  const int all = kind.byHead ? config.heads : text.trace.tokenCount();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].site != ownSite(config)) continue;
    std::vector<Spread> found(static_cast<std::size_t>(columns));
    for (int i = 0; i < all; ++i) {
      if (!text.watch(static_cast<int>(row) * all + i, static_cast<int>(rows.size()) * all)) return {};
      const auto patch = patchOfCell(config, text.trace, *other, alignment, kind, rows[row].layer, i);
      if (!patch) continue;
      Interventions with = text.standing;
      with.push_back(*patch);
      const auto patched = text.pass.run(text.trace.tokens(), with, text.trace.source());
      const int column = kind.byHead ? i : placeOf(alignment, text.trace, *other, i);
      found[static_cast<std::size_t>(column)].add(
          static_cast<double>(lead(*patched, answer.position, answer.entry, theirs) - before));
    }
    for (std::size_t c = 0; c < found.size(); ++c)
      if (found[c].texts() > 0)
        cells[row * static_cast<std::size_t>(columns) + c] = static_cast<float>(found[c].mean());
  }
  return cells;
}

OpenPasses madeByPatching(const TextAgain& text, const PatchKind& kind, int cell) {
  const ModelConfig& config = text.model->config();
  const int columns = kind.byHead ? causalColumns(config) : static_cast<int>(std::size(patchPlaces));
  const CausalRow row = causalRows(config)[static_cast<std::size_t>(cell / columns)];
  if (row.site != ownSite(config) || (kind.byHead && cell % columns >= config.heads)) return {};
  return [text, &kind, layer = row.layer, column = cell % columns] {
    ReplayedPass whole = text.whole();
    LivePass pass(text.model);
    const MeasuredText measured{
        pass,       *whole.trace, text.standing,    text.partner ? &*text.partner : nullptr,
        text.signs, noProgress,   text.text.counted};
    const auto changed = text.partner ? text.partner : changedVersion(measured);
    if (!changed) return MultiPassDerivation{{}, {std::move(whole)}};
    const auto other = pass.run(changed->tokens, text.standing, changed->source);
    const Alignment alignment = align(whole.trace->tokens(), other->tokens());
    std::vector<ReplayedPass> patched;
    for (int i = 0; i < (kind.byHead ? text.model->config().heads : whole.trace->tokenCount()); ++i) {
      if (column != (kind.byHead ? i : placeOf(alignment, *whole.trace, *other, i))) continue;
      if (const auto patch =
              patchOfCell(text.model->config(), *whole.trace, *other, alignment, kind, layer, i))
        patched.push_back(text.with(patchWords(kind, layer, i), {*patch}));
    }
    const auto [position, entry] = answerOf(*whole.trace);
    return meanLeadAcross(std::move(whole), std::move(patched), position, entry, answerOf(*other).entry);
  };
}

}  // namespace glassformer
