#include "core/decode/speculative.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace glassformer {

namespace {

std::unordered_map<int, double> byToken(const Candidates& candidates) {
  std::unordered_map<int, double> probabilities;
  for (const Candidate& c : candidates) probabilities[c.token] = c.probability;
  return probabilities;
}

}  // namespace

std::vector<int> SpeculativeRound::added() const {
  std::vector<int> tokens;
  for (const Proposal& proposal : proposals)
    if (proposal.accepted) tokens.push_back(proposal.token);
  if (token >= 0) tokens.push_back(token);
  return tokens;
}

LogitsOfPrefixes logitsOfPrefixes(LivePass& pass, const Interventions& interventions,
                                  std::span<const int> source) {
  return [&pass, interventions, read = std::vector(source.begin(), source.end())](std::span<const int> tokens,
                                                                                  int count) {
    const auto trace = pass.run(tokens, interventions, read);
    std::vector<std::vector<float>> logits;
    for (int row = trace->tokenCount() - count; row < trace->tokenCount(); ++row)
      logits.push_back((*trace)["logits"][row].copy());
    return logits;
  };
}

bool sharesTokens(const Tokenizer& a, const Tokenizer& b) {
  if (a.vocabularySize() != b.vocabularySize() || a.endOfText() != b.endOfText()) return false;
  for (int id = 0; id < a.vocabularySize(); ++id)
    if (a.tokenLabel(id) != b.tokenLabel(id)) return false;
  return true;
}

Candidates beyond(const Candidates& p, const Candidates& q) {
  const auto ofDraft = byToken(q);
  Candidates rest;
  double sum = 0;
  for (Candidate c : p) {
    const auto found = ofDraft.find(c.token);
    c.probability = std::max(0.0, c.probability - (found == ofDraft.end() ? 0 : found->second));
    if (c.probability > 0) rest.push_back(c), sum += c.probability;
  }
  if (rest.empty()) return p;
  for (Candidate& c : rest) c.probability /= sum;
  std::ranges::stable_sort(rest, std::greater{}, &Candidate::probability);
  return rest;
}

double overlap(const Candidates& p, const Candidates& q) {
  const auto ofDraft = byToken(q);
  double sum = 0;
  for (const Candidate& c : p)
    if (const auto found = ofDraft.find(c.token); found != ofDraft.end())
      sum += std::min(c.probability, found->second);
  return sum;
}

Speculation::Speculation(std::vector<int> prompt, const SamplingSettings& settings, int proposals, int count,
                         int context, TextEnds stop)
    : text_(std::move(prompt)),
      prompt_(text_.size()),
      settings_(settings),
      proposals_(proposals),
      most_(std::min(prompt_ + static_cast<std::size_t>(count), static_cast<std::size_t>(context))),
      stop_(std::move(stop)),
      random_(settings.seed) {
  assert(!text_.empty() && proposals > 0);
  isDone_ = text_.size() >= most_;
}

Candidates Speculation::distribution(std::span<const float> logits, std::span<const int> text) const {
  return drawnFrom(logits, text, text.subspan(prompt_), settings_);
}

bool Speculation::isWhole(const std::vector<int>& text) const {
  return text.size() >= most_ || (text.size() > prompt_ && stop_.contains(text.back()));
}

SpeculativeRound Speculation::advance(const LogitsOfPrefixes& model, const NextTokenLogits& draft) {
  SpeculativeRound round;
  // The draft writes on.
  std::vector<int> written = text_;
  std::vector<Candidates> q;
  while (static_cast<int>(q.size()) < proposals_ && !isWhole(written)) {
    Candidates drafted = distribution(draft(written), written);
    if (drafted.empty()) break;
    written.push_back(draw(drafted, random_));
    q.push_back(std::move(drafted));
  }
  // The model itself reads what it wrote, where there is room for one more: the last token needs no answer.
  const auto asked = static_cast<int>(q.size());
  const bool isFull = isWhole(written);
  const std::vector<int> read(written.begin(), written.end() - (isFull && asked > 0 ? 1 : 0));
  const std::vector<std::vector<float>> logits =
      model(read, static_cast<int>(read.size() - text_.size()) + 1);
  const std::size_t before = text_.size();
  for (int i = 0; i <= asked; ++i) {
    const std::span prefix(written.data(), before + static_cast<std::size_t>(i));
    if (i == asked && isFull) break;
    const Candidates p = distribution(logits[static_cast<std::size_t>(i)], prefix);
    if (p.empty()) {
      isDone_ = true;
      return round;
    }
    if (i == asked) {
      round.token = draw(p, random_);
      break;
    }
    const Candidates& drafted = q[static_cast<std::size_t>(i)];
    Proposal proposal{.token = written[before + static_cast<std::size_t>(i)]};
    proposal.draft = probabilityOf(drafted, proposal.token),
    proposal.target = probabilityOf(p, proposal.token);
    proposal.u = random_.uniform01();
    proposal.accepted = proposal.u * proposal.draft < proposal.target;
    round.proposals.push_back(proposal);
    if (proposal.accepted) {
      text_.push_back(proposal.token);
      continue;
    }
    round.token = draw(beyond(p, drafted), random_), round.isCorrection = true;
    round.dropped.assign(written.begin() + static_cast<std::ptrdiff_t>(before) + i + 1, written.end());
    break;
  }
  if (round.token >= 0) text_.push_back(round.token);
  isDone_ = isWhole(text_);
  return round;
}

}  // namespace glassformer
