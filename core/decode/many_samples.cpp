#include "core/decode/many_samples.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace glassformer {

ManySamples::ManySamples(std::vector<int> prompt, const SamplingSettings& settings, int count, int depth,
                         int context, TextEnds stop)
    : prompt_(std::move(prompt)),
      settings_(settings),
      depth_(depth),
      context_(context),
      stop_(std::move(stop)) {
  Group all;
  all.samples.resize(static_cast<std::size_t>(count));
  std::iota(all.samples.begin(), all.samples.end(), 0);
  for (const int sample : all.samples)
    randoms_.push_back(randomBehind(settings.seed + static_cast<std::uint64_t>(sample), settings.drawn));
  if (count > 0 && !isWhole({})) open_.push_back(std::move(all));
}

bool ManySamples::isWhole(const std::vector<int>& tokens) const {
  return static_cast<int>(tokens.size()) >= depth_ ||
         static_cast<int>(prompt_.size() + tokens.size()) >= context_ ||
         (!tokens.empty() && stop_.contains(tokens.back()));
}

void ManySamples::advance(const NextTokenLogits& logits) {
  assert(!isDone());
  const Group group = std::move(open_.back());
  open_.pop_back();
  std::vector<int> text = prompt_;
  text.insert(text.end(), group.way.tokens.begin(), group.way.tokens.end());
  const std::vector<float> answer = logits(text);
  const Candidates left = drawnFrom(answer, text, group.way.tokens, settings_);
  if (left.empty()) {
    ended_ += static_cast<int>(group.samples.size());
    whole_.push_back(group.way);
    return;
  }
  const std::vector<double> byModel = logSoftmax(answer);

  std::map<int, std::vector<int>> parted;  // samples by the token they draw
  for (const int sample : group.samples)
    parted[draw(left, randoms_[static_cast<std::size_t>(sample)])].push_back(sample);
  std::vector<Group> next;
  for (auto& [token, samples] : parted) {
    Group part{group.way, std::move(samples)};
    part.way.tokens.push_back(token);
    part.way.drawn += std::log(std::ranges::find(left, token, &Candidate::token)->probability);
    part.way.model += byModel[static_cast<std::size_t>(token)];
    part.way.count = static_cast<int>(part.samples.size());
    part.way.seed = settings_.seed + static_cast<std::uint64_t>(part.samples.front());
    next.push_back(std::move(part));
  }
  std::ranges::stable_sort(next, {}, [](const Group& g) { return g.way.count; });  // most samples first
  for (Group& part : next)
    if (isWhole(part.way.tokens))
      ended_ += part.way.count, whole_.push_back(std::move(part.way));
    else
      open_.push_back(std::move(part));
}

std::vector<Continuation> ManySamples::continuations() const {
  std::vector<Continuation> sorted = whole_;
  std::ranges::stable_sort(sorted, [](const Continuation& a, const Continuation& b) {
    return a.count != b.count ? a.count > b.count : a.drawn > b.drawn;
  });
  return sorted;
}

}  // namespace glassformer
