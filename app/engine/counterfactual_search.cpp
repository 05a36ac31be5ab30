#include "app/engine/counterfactual_search.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/token_edit.h"
#include "app/document/workspace.h"
#include "app/engine/ablation_map.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/across_changes.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

// As many as are listed, in their order.
template <typename Found>
std::vector<const Found*> firstOf(std::vector<const Found*> all) {
  if (all.size() > changes::mostListed) all.resize(changes::mostListed);
  return all;
}

// The most probable new answers first.
std::vector<const HeadSetSearch::Found*> mostProbable(const std::vector<HeadSetSearch::Found>& found) {
  std::vector<const HeadSetSearch::Found*> all;
  for (const HeadSetSearch::Found& each : found) all.push_back(&each);
  std::ranges::stable_sort(all, std::greater<>(), [](const auto* each) { return each->flip.newAfter; });
  return all;
}

void addFlip(const Counterfactual& flip, int row, Tensor& probabilities) {
  probabilities(row, changes::oldBefore) = flip.oldBefore,
                     probabilities(row, changes::oldAfter) = flip.oldAfter;
  probabilities(row, changes::newBefore) = flip.newBefore,
                     probabilities(row, changes::newAfter) = flip.newAfter;
}

struct ShareWords {
  const char *meaning, *equation;
};
ShareWords wordsOfShares(const AnswerAsked& asked) {
  return asked.head
             ? ShareWords{"attention to the former top key and to the new one, before and after", "A[t, s]"}
             : ShareWords{"probability of the former prediction and of the new one, before and after",
                          "p = softmax(z)"};
}

}  // namespace

std::vector<HeadId> everyHead(const ModelConfig& config) {
  std::vector<HeadId> heads;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < config.heads; ++head) heads.push_back({layer, head, site});
  return heads;
}

std::optional<TabText> writtenWith(const Snapshot& snapshot, const TokenReplacement& change) {
  const ShownPass& pass = *snapshot.pass;
  const bool inSource = change.stream == Stream::Source;
  const Tokenizer& tokenizer = *snapshot.model->tokenizer;
  std::vector<int> wanted = inSource ? pass.trace->source() : pass.trace->tokens();
  wanted[static_cast<std::size_t>(change.position)] = change.token;
  const std::string bytes = withTokenReplaced(pass.tokenized(change.stream), change.position,
                                              tokenizer.writtenBehind(change.token));
  std::vector<int> read = inSource ? sourceIds(tokenizer, bytes) : tokenizer.encodeIds(bytes);
  const std::vector<int> signs = leadingSpecialTokens(tokenizer, *snapshot.model->config);
  if (!inSource) read.insert(read.begin(), signs.begin(), signs.end());
  read.resize(std::min(read.size(), wanted.size()));
  if (read != wanted) return std::nullopt;
  return inSource ? TabText(pass.text, bytes) : TabText(bytes, pass.source);
}

std::optional<AnswerAsked> changesAsked(const Workspace& workspace, const Snapshot& snapshot) {
  const ShownPass& pass = *snapshot.pass;
  const bool isThere = pass.hasTrace() && snapshot.model->config && pass.predicted.position >= 0 &&
                       pass.predicted.position < pass.trace->tokenCount();
  if (!isThere) return std::nullopt;
  const ModelConfig& config = *snapshot.model->config;
  AnswerAsked asked{pass.predicted.position};
  if (config.hasAttention() && asksWhereHeadLooks(workspace.settings)) {
    asked.head = selectedHead(workspace, config);
    const Stream queries = queriesOf(asked.head->site);
    asked.position = snapshot.positionOr(workspace.selection.queryIn(queries), queries);
  }
  asked.target = answerWanted(workspace.settings, rowAsked(*pass.trace, asked).extent[0]);
  if (asked.target == answerOf(*pass.trace, asked)) asked.target = -1;
  return asked;
}

namespace {

// How probable an entry is in the pass as it is, or in the one with the change. Of a head it is a number of
// its pattern.
MultiPassDerivation probabilityOf(const ReplayedPass& whole, const std::function<ReplayedPass()>& change,
                                  bool isBefore, const AnswerAsked& asked, int entry) {
  ReplayedPass pass = isBefore ? whole : change();
  if (!asked.head) return probabilityAcross(std::move(pass), {asked.position, entry});
  Derivation share{.terms = {{&rowAsked(*pass.trace, asked)(entry)}}};
  return {std::move(share), {std::move(pass)}};
}

// Of a listed change: which entry's number stands there, before the change or with it.
struct AskedShare {
  int entry = -1;
  bool isBefore = false;
};
using ShareAt = std::function<AskedShare(const Counterfactual& flip, const Index& at)>;

ShareAt shareOfAnswers(const CounterfactualKey& key) {
  return [old = answerOf(*key.pass.trace, key.answer)](const Counterfactual& flip, const Index& at) {
    const bool isOld = at[1] == changes::oldBefore || at[1] == changes::oldAfter;
    return AskedShare{isOld ? old : flip.answer, at[1] == changes::oldBefore || at[1] == changes::newBefore};
  };
}

AskedShare shareOfOther(const Counterfactual& flip, const Index& at) {
  const auto i = static_cast<std::size_t>(at[1]);
  return {i < flip.others.size() ? flip.others[i].entry : -1, at[2] == 0};
}

TensorSet::AcrossOf acrossReplacements(const CounterfactualKey& key, const CounterfactualState& state,
                                       ShareAt shareAt) {
  std::vector<ReplacementSearch::Found> listed;
  for (const auto* each : firstOf(placeByPlace(state.replacements.found()))) listed.push_back(*each);
  return [key, listed, shareAt = std::move(shareAt),
          vocabulary = state.snapshot.model->vocabulary](const auto& at) -> OpenPasses {
    const ReplacementSearch::Found& found = listed[static_cast<std::size_t>(at[0])];
    const AskedShare share = shareAt(found.flip, at);
    if (share.entry < 0) return {};
    return [key, share, vocabulary, change = found.change] {
      const bool inSource = change.stream == Stream::Source;
      const auto& [model, trace, interventions] = key.pass;
      std::vector<int> tokens = trace->tokens(), source = trace->source();
      (inSource ? source : tokens)[static_cast<std::size_t>(change.position)] = change.token;
      const std::string name = "“" + (vocabulary ? labelOfEntry(*vocabulary, change.token) : "") + "” at " +
                               (inSource ? "the source's " : "") + "position " +
                               std::to_string(change.position);
      return probabilityOf(
          passAtHand(asItIsWords, trace),
          [&] { return passAgain(name, key.pass.model, Trace(tokens, source), key.pass.interventions); },
          share.isBefore, key.answer, share.entry);
    };
  };
}

TensorSet::AcrossOf acrossHeadSets(const CounterfactualKey& key, const CounterfactualState& state,
                                   ShareAt shareAt) {
  std::vector<HeadSetSearch::Found> listed;
  for (const auto* each : firstOf(mostProbable(state.heads.found()))) listed.push_back(*each);
  return [key, listed, shareAt = std::move(shareAt)](const auto& at) -> OpenPasses {
    const HeadSetSearch::Found& found = listed[static_cast<std::size_t>(at[0])];
    const AskedShare share = shareAt(found.flip, at);
    if (share.entry < 0) return {};
    return [key, share, heads = found.heads] {
      Interventions without = key.pass.interventions;
      for (const HeadId& head : heads) without.push_back(headOff(head));
      return probabilityOf(
          passAtHand(asItIsWords, key.pass.trace),
          [&] { return passAgain(nameOf(heads) + " ablated", key.pass.model, *key.pass.trace, without); },
          share.isBefore, key.answer, share.entry);
    };
  };
}

// What else had or has most, of the changes that are listed; nothing where nothing else has any.
void addOthers(const std::vector<const Counterfactual*>& flips, const char* entries,
               const char* probabilities, const AnswerAsked& asked, TensorSet::AcrossOf across,
               TensorSet& set) {
  std::size_t most = 0;
  for (const Counterfactual* flip : flips) most = std::max(most, flip->others.size());
  if (most == 0) return;
  const int rows = static_cast<int>(flips.size()), columns = static_cast<int>(most);
  Tensor which({rows, columns}, std::vector<float>(flips.size() * most, NAN)),
      shares({rows, columns, 2}, std::vector<float>(flips.size() * most * 2, NAN));
  for (int i = 0; i < rows; ++i) {
    const std::vector<OtherShare>& others = flips[static_cast<std::size_t>(i)]->others;
    for (int k = 0; k < static_cast<int>(others.size()); ++k) {
      const auto& [entry, before, after] = others[static_cast<std::size_t>(k)];
      which(i, k) = static_cast<float>(entry), shares(i, k, 0) = before, shares(i, k, 1) = after;
    }
  }
  const bool isOfHead = asked.head.has_value();
  set.add({entries, "YZ",
           isOfHead ? "the other keys with the largest weights before or after"
                    : "the other predictions with the largest probabilities before or after",
           ""},
          std::move(which));
  set.addAcross({probabilities, "YZ2",
                 isOfHead ? "attention to each of these, before and after"
                          : "probability of each of these, before and after",
                 wordsOfShares(asked).equation},
                std::move(shares), std::move(across));
}

void addLookedAt(const CounterfactualKey& key, TensorSet& set) {
  const AnswerAsked& asked = key.answer;
  if (!asked.head) return;
  set.add({changes::lookedAt, "2", "from where " + nameOf(*asked.head) + " attends, and its top key",
           "t, argmax A[t]"},
          Tensor({2},
                 {static_cast<float>(asked.position), static_cast<float>(answerOf(*key.pass.trace, asked))}));
}

void addReplacements(const CounterfactualKey& key, const CounterfactualState& state, TensorSet& set) {
  set.add({changes::replacementCounts, "3",
           "number of replacements tried, of all replacements, and of those that change the prediction", ""},
          Tensor({3}, {static_cast<float>(state.replacements.tried()),
                       static_cast<float>(state.replacements.all()),
                       static_cast<float>(state.replacements.found().size())}));
  const auto listed = firstOf(placeByPlace(state.replacements.found()));
  if (listed.empty()) return;
  const int count = static_cast<int>(listed.size());
  Tensor rows({count, changes::replacementColumns}), probabilities({count, changes::probabilities});
  for (int i = 0; i < count; ++i) {
    const auto& [change, flip] = *listed[static_cast<std::size_t>(i)];
    rows(i, changes::inSource) = change.stream == Stream::Source;
    rows(i, changes::position) = static_cast<float>(change.position);
    rows(i, changes::token) = static_cast<float>(change.token);
    rows(i, changes::newAnswer) = static_cast<float>(flip.answer);
    rows(i, changes::isSpelled) = writtenWith(state.snapshot, change).has_value();
    addFlip(flip, i, probabilities);
  }
  set.add({changes::replacements, "YZ",
           "token edits that change the prediction: in the source, position, new token, new prediction, and "
           "1 if the text tokenizes so",
           ""},
          std::move(rows));
  const auto [meaning, equation] = wordsOfShares(key.answer);
  set.addAcross({changes::replacementP, "YZ", meaning, equation}, std::move(probabilities),
                acrossReplacements(key, state, shareOfAnswers(key)));
  std::vector<const Counterfactual*> flips;
  for (const auto* each : listed) flips.push_back(&each->flip);
  addOthers(flips, changes::replacementOthers, changes::replacementOthersP, key.answer,
            acrossReplacements(key, state, shareOfOther), set);
}

void addHeadSets(const CounterfactualKey& key, const CounterfactualState& state, TensorSet& set) {
  const auto& sizes = state.heads.sizes();
  if (!sizes.empty()) {
    Tensor counts({static_cast<int>(sizes.size()), 3});
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
      const HeadSetSearch::Size& size = sizes[static_cast<std::size_t>(i)];
      counts(i, 0) = static_cast<float>(size.heads);
      counts(i, 1) = static_cast<float>(size.tried), counts(i, 2) = static_cast<float>(size.all);
    }
    set.add({changes::headCounts, "YZ", "sets by number of heads: tried, and all", ""}, std::move(counts));
  }
  const auto listed = firstOf(mostProbable(state.heads.found()));
  if (listed.empty()) return;
  const std::vector<HeadId> heads = everyHead(key.pass.model->config());
  const int count = static_cast<int>(listed.size()), members = static_cast<int>(listed.front()->heads.size());
  Tensor rows({count, members}), answers({count}), probabilities({count, changes::probabilities});
  for (int i = 0; i < count; ++i) {
    const auto& [off, flip] = *listed[static_cast<std::size_t>(i)];
    for (int k = 0; k < members; ++k)
      rows(i, k) =
          static_cast<float>(std::ranges::find(heads, off[static_cast<std::size_t>(k)]) - heads.begin());
    answers(i) = static_cast<float>(flip.answer);
    addFlip(flip, i, probabilities);
  }
  set.add({changes::headSets, "YZ", "heads that change the prediction when they are ablated together", ""},
          std::move(rows));
  const bool isOfHead = key.answer.head.has_value();
  set.add({changes::headAnswer, "Y", isOfHead ? "the top key then" : "the prediction then",
           isOfHead ? "argmax A[t]" : "argmax z"},
          std::move(answers));
  const auto [meaning, equation] = wordsOfShares(key.answer);
  set.addAcross({changes::headP, "YZ", meaning, equation}, std::move(probabilities),
                acrossHeadSets(key, state, shareOfAnswers(key)));
  std::vector<const Counterfactual*> flips;
  for (const auto* each : listed) flips.push_back(&each->flip);
  addOthers(flips, changes::headOthers, changes::headOthersP, key.answer,
            acrossHeadSets(key, state, shareOfOther), set);
}

int tried(const CounterfactualState& state) {
  std::int64_t sets = 0;
  for (const HeadSetSearch::Size& size : state.heads.sizes()) sets += size.tried;
  return state.replacements.tried() + static_cast<int>(sets);
}

// As far as is known: larger sets may follow.
int toTry(const CounterfactualState& state, const ChangeBudget& budget) {
  std::int64_t sets = 0;
  for (const HeadSetSearch::Size& size : state.heads.sizes()) sets += std::min(size.all, budget.headSets);
  return static_cast<int>(std::min(state.replacements.all(), budget.replacements) + sets);
}

}  // namespace

std::optional<CounterfactualKey> CounterfactualSearch::key(const JobSide& side) const {
  auto pass = side.pass();
  const auto asked = changesAsked(side.workspace(), side.snapshot);
  if (!pass || !asked) return std::nullopt;
  return CounterfactualKey{*std::move(pass), *asked, &chosenBudget(side.workspace().settings)};
}

std::unique_ptr<CounterfactualState> CounterfactualSearch::start(const CounterfactualKey& key,
                                                                 const JobSide& side, const StartJob& begin) {
  if (!begin(doing)(0, 0)) return nullptr;
  const auto& [model, trace, interventions] = key.pass;
  const int signs = signsAround(*side.of.model.shown->tokenizer, side.config()).before;
  return std::make_unique<CounterfactualState>(
      ReplacementSearch(*model, *trace, interventions, key.answer, signs, key.budget->replacements),
      HeadSetSearch(*model, *trace, interventions, key.answer, key.budget->headSets),
      std::make_unique<LivePass>(model, threads_),
      Snapshot{.model = side.snapshot.model, .pass = side.snapshot.pass});
}

JobResult CounterfactualSearch::result(const CounterfactualKey& key, const CounterfactualState& state,
                                       const JobSide&) const {
  auto set = std::make_shared<TensorSet>();
  addLookedAt(key, *set);
  addReplacements(key, state, *set);
  addHeadSets(key, state, *set);
  return {std::move(set)};
}

// By turns, so that both lists begin to fill.
bool CounterfactualSearch::goOn(const CounterfactualKey& key, CounterfactualState& state, const JobSide&,
                                const StartJob& begin, const std::function<void()>& more) {
  if (state.isDone()) return true;
  const ProgressCallback watch = begin(doing);
  const auto some = [&](auto& search) {
    constexpr int atOnce = 32;
    for (int i = 0; i < atOnce && !search.isDone(); ++i) {
      if (!watch(tried(state), toTry(state, *key.budget))) return false;
      search.advance(*state.pass);
    }
    return true;
  };
  while (!state.isDone()) {
    if (!some(state.replacements) || !some(state.heads)) return false;
    more();
  }
  return true;
}

}  // namespace glassformer
