#include "app/engine/branch_paths.h"

#include <algorithm>
#include <cmath>

#include "app/document/branch.h"
#include "app/document/decoding.h"
#include "app/document/workspace.h"
#include "app/engine/open_model.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

bool isOn(const ViewSettings& settings, const char* path, bool otherwise) {
  const std::string_view chosen = settings.chosen(path);
  return chosen.empty() ? otherwise : chosen == "on";
}

}  // namespace

bool showsGreedy(const ViewSettings& settings) { return isOn(settings, greedyPath, true); }
bool showsHypotheses(const ViewSettings& settings) { return isOn(settings, beamPaths, true); }
bool showsSamples(const ViewSettings& settings) { return isOn(settings, samplePaths, false); }

void BranchPaths::read(const ViewSettings& from, ViewSettings& to) {
  readChoices<greedyPath, beamPaths, samplePaths>(from, to);
}

BranchPaths::BranchPaths(const ContinuationKey& key, const JobSide& side, int threads)
    : ContinuedText(key, side, threads) {
  addWritten(key.branches, side);
}

// The open text, and the branches as the model would read them.
void BranchPaths::addWritten(const std::vector<Branch>& branches, const JobSide& side) {
  paths_.assign(1, {});
  paths_[0].tokens = trace_->tokens();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const TabText& writing = branches[i].writing;
    std::vector<int> tokens =
        tokensRead(config(), side.of.model.encode(config(), writing, std::nullopt).tokens);
    if (config().isEncoderDecoder() && writing.source != side.snapshot.pass->source)
      tokens.clear();  // begins otherwise
    paths_.push_back({.kind = PathKind::Branch, .index = static_cast<int>(i), .tokens = std::move(tokens)});
  }
}

void BranchPaths::add(PathKind kind, int index, std::vector<int> added) {
  std::vector<int> tokens = trace_->tokens();
  tokens.insert(tokens.end(), added.begin(), added.end());
  paths_.push_back({.kind = kind, .index = index, .tokens = std::move(tokens)});
}

void BranchPaths::addGreedy(const NextTokenLogits& logits) {
  add(PathKind::Greedy, 0, continuedBy(DecodingStrategy::Greedy, logits));
}

bool BranchPaths::addHypotheses(const NextTokenLogits& logits, const ProgressCallback& watch) {
  const BeamTree tree = beamSearch(logits, trace_->tokens(), beam(), watch);
  if (tree.cancelled) return false;
  const auto shown = std::min<std::size_t>(paths::mostHypotheses, tree.hypotheses.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const int node = tree.hypotheses[i];
    add(PathKind::Beam, static_cast<int>(i), tree.path(node));
    paths_.back().score = tree.nodes[static_cast<std::size_t>(node)].score;
  }
  return true;
}

bool BranchPaths::addSamples(const NextTokenLogits& logits, const std::function<bool()>& goesOn) {
  constexpr int drawn = 100;
  ManySamples samples(trace_->tokens(), sampling(DecodingStrategy::Sampling), drawn, decoding_.depth,
                      config().context, endOfText_);
  while (!samples.isDone()) {
    if (!goesOn()) return false;
    samples.advance(logits);
  }
  const std::vector<Continuation> all = samples.continuations();
  for (std::size_t i = 0; i < std::min<std::size_t>(paths::mostSamples, all.size()); ++i) {
    add(PathKind::Sample, static_cast<int>(i), all[i].tokens);
    paths_.back().count = all[i].count;
  }
  return true;
}

// The tree of the paths that are known by now, with the probabilities of its tokens.
bool BranchPaths::grow(const NextTokenLogits& logits, const std::function<bool()>& goesOn) {
  std::vector<std::vector<int>> texts;
  for (const Path& path : paths_) texts.push_back(path.tokens);
  tree_ = pathTree(texts);
  if (!weigh(tree_, logits, goesOn)) return false;
  measured_ = asTensors();
  return true;
}

bool BranchPaths::goOn(const StartJob& begin, const std::function<void()>& more) {
  if (isWhole_) return true;
  const ProgressCallback watch = begin(doing);
  const NextTokenLogits logits = this->logits();
  // Nobody knows beforehand how often the model will be asked.
  constexpr int parts = 4;
  const auto counted = [&](int part) -> std::function<bool()> {
    return [this, part, &watch, calls = 0]() mutable {
      ++calls;
      return partOf(watch, part, parts)(calls, calls + decoding_.depth);
    };
  };
  // Without what an earlier try drew before it was stopped.
  std::erase_if(paths_, [](const Path& each) { return each.kind > PathKind::Branch; });
  const bool hasRoom = trace_->tokenCount() < config().context;
  if (hasRoom && showsGreedy(settings_)) addGreedy(logits);
  if (!grow(logits, counted(0))) return false;
  more();
  if (hasRoom && showsHypotheses(settings_) && !addHypotheses(logits, partOf(watch, 1, parts))) return false;
  if (hasRoom && showsSamples(settings_) && !addSamples(logits, counted(2))) return false;
  if (!grow(logits, counted(3))) return false;
  isWhole_ = true;
  more();
  return true;
}

// Of every node: p, ln p, and their sum from the root on.
void BranchPaths::addSums(Tensor probability, Tensor logProbability, Tensor cumulative,
                          TensorSet& set) const {
  set.addAcross({paths::probability, "N", "probability of the token, given all before it", "p = softmax(z)"},
                std::move(probability), [passes = passes(), tree = tree_](const Index& at) -> OpenPasses {
                  if (at[0] == 0) return nullptr;  // nobody chose what all have in common
                  std::vector<int> text = tree.root;
                  for (const int token : tree.path(at[0])) text.push_back(token);
                  return passes.probability(std::move(text));
                });
  const TensorView p = set[paths::probability], before = cumulative.view();
  set.add({paths::logProbability, "N", "log-probability of the token", "ln p"}, std::move(logProbability),
          [p](const Index& at) -> std::optional<Derivation> {
            if (at[0] == 0 || !(p(at[0]) > 0)) return std::nullopt;
            return derivedLogarithm(&p(at[0]));
          });
  set.add({paths::cumulative, "N", "log probability of the path, from the branching point on", "Σ ln p"},
          std::move(cumulative),
          [before, logP = set[paths::logProbability],
           nodes = tree_.nodes](const Index& at) -> std::optional<Derivation> {
            const int parent = nodes[static_cast<std::size_t>(at[0])].parent;
            if (parent < 0) return std::nullopt;
            return Derivation{.terms = {{&before(parent)}, {&logP(at[0])}}};
          });
}

// log P / nᵅ of the n tokens behind the open text, which may begin behind the root of the tree.
TensorSet::DerivationOf BranchPaths::scoresMadeOf(const TensorView& cumulative) const {
  const int before = trace_->tokenCount() - static_cast<int>(tree_.root.size());
  return [=, paths = paths_, tree = tree_,
          alpha = decoding_.lengthPenalty](const Index& at) -> std::optional<Derivation> {
    const auto way = static_cast<std::size_t>(at[0]);
    if (!paths[way].score || tree.ends[way] < 0) return std::nullopt;
    const int end = tree.ends[way];
    int start = end;
    while (tree.nodes[static_cast<std::size_t>(start)].depth > before)
      start = tree.nodes[static_cast<std::size_t>(start)].parent;
    const int n = tree.nodes[static_cast<std::size_t>(end)].depth - before;
    const float share = std::pow(static_cast<float>(n), -alpha);
    return Derivation{.terms = {{&cumulative(end), nullptr, share}, {&cumulative(start), nullptr, -share}}};
  };
}

std::shared_ptr<const TensorSet> BranchPaths::asTensors() const {
  const int ways = static_cast<int>(paths_.size()), count = static_cast<int>(tree_.nodes.size());
  Tensor kind({ways}), index({ways}), end({ways}), total({ways}), length({ways}), alike({ways}),
      score({ways});
  for (int i = 0; i < ways; ++i) {
    const Path& path = paths_[static_cast<std::size_t>(i)];
    const int node = tree_.ends[static_cast<std::size_t>(i)];
    const PathTree::Node& last = tree_.nodes[static_cast<std::size_t>(std::max(node, 0))];
    kind(i) = static_cast<float>(path.kind), index(i) = static_cast<float>(path.index);
    end(i) = static_cast<float>(node);
    total(i) = node < 0 ? NAN : static_cast<float>(last.cumulative);
    length(i) = static_cast<float>(last.depth);
    alike(i) = path.count ? static_cast<float>(*path.count) : NAN;
    score(i) = path.score ? static_cast<float>(*path.score) : NAN;
  }
  Tensor parent({count}), token({count}), probability({count}), logProbability({count}), cumulative({count}),
      root({1});
  for (int i = 0; i < count; ++i) {
    const PathTree::Node& node = tree_.nodes[static_cast<std::size_t>(i)];
    parent(i) = static_cast<float>(node.parent), token(i) = static_cast<float>(node.token);
    probability(i) = static_cast<float>(std::exp(node.logProbability));
    logProbability(i) = static_cast<float>(node.logProbability);
    cumulative(i) = static_cast<float>(node.cumulative);
  }
  root(0) = static_cast<float>(tree_.root.size());
  auto set = std::make_shared<TensorSet>();
  set->add({paths::kind, "Y", "origin of a path", ""}, std::move(kind));
  set->add({paths::index, "Y", "rank of the path among those of its kind", ""}, std::move(index));
  set->add({paths::end, "Y", "the node at which it ends", ""}, std::move(end));
  set->add({paths::length, "Y", "number of tokens of the path", ""}, std::move(length));
  set->add({paths::count, "Y", "number of samples, of a hundred, that took this path", ""}, std::move(alike));
  set->add({paths::parent, "N", "the node before", ""}, std::move(parent));
  set->add({paths::token, "N", "the token of a node", ""}, std::move(token));
  addSums(std::move(probability), std::move(logProbability), std::move(cumulative), *set);
  set->add(
      {paths::total, "Y", "log probability of the path, given the common text", "Σ ln p"}, std::move(total),
      [sums = (*set)[paths::cumulative], ends = tree_.ends](const Index& at) -> std::optional<Derivation> {
        const int end = ends[static_cast<std::size_t>(at[0])];
        if (end < 0) return std::nullopt;
        return Derivation{.terms = {{&sums(end)}}};
      });
  set->add({paths::score, "Y", "score in beam search", "log P / nᵅ"}, std::move(score),
           scoresMadeOf((*set)[paths::cumulative]));
  set->add({paths::root, "1", "tokens that all paths have in common", ""}, std::move(root));
  return set;
}

}  // namespace glassformer
