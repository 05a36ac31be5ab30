#include "app/views/next_token/shown_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/engine/sampled_draw.h"

namespace glassformer {

ShownChain::ShownChain(const SceneInput& input)
    : sources_(input.sources()),
      probability_(*sources_.find(chain::probability)),
      before_(*sources_.find(chain::before)),
      order_(*sources_.find(chain::stage)),
      seen_(*sources_.find(chain::seen)),
      decoding_(input.workspace.decoding),
      draw_(*valueOf(sources_, cell(chain::draw, 0))),
      number_(number(chain::which)),
      drawn_(number(chain::drawn)),
      chosen_(number(sampled::chosen)) {
  const PlaceOfDraw at = placeOfDraw(input.snapshot);
  place_ = at.position, text_ = at.text;
  if (!isPast())
    by_ = chosenBy(decoding_.strategy);
  else if (number(sampled::by) >= 0)
    by_ = static_cast<ChosenBy>(number(sampled::by));
  if (const auto* then = input.workspace.way.goneOnBehind(text_, input.snapshot.pass->source);
      then && isPast())
    decoding_ = then->decoding;
}

int ShownChain::number(const char* tensor) const {
  return static_cast<int>(*valueOf(sources_, cell(tensor, 0)));
}

bool ShownChain::isOn(int i) const {
  const SamplingStage* stage = link(i).stage;
  return !stage || decoding_.stages.of(*stage) != stage->off;
}

std::vector<int> ShownChain::stages(bool on) const {
  std::vector<int> found;
  for (int i = 0; i < count(); ++i)
    if (isOn(i) == on) found.push_back(i);
  return found;
}

bool ShownChain::isLeft(int stage, int token) const { return std::isfinite(before_(stage, token)); }

std::vector<int> ShownChain::likeliest(int stage, int count) const {
  std::vector<int> order(static_cast<std::size_t>(vocabulary()));
  std::iota(order.begin(), order.end(), 0);
  const auto kept = std::min(order.size(), static_cast<std::size_t>(count));
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](int a, int b) { return p(stage, a) != p(stage, b) ? p(stage, a) > p(stage, b) : a < b; });
  order.resize(kept);
  return order;
}

bool ShownChain::isBanned(int token) const {
  return std::ranges::binary_search(decoding_.constraint.banned, token);
}

int ShownChain::outAt(int token) const {
  for (int stage = 0; stage < count(); ++stage)
    if (!isLeft(stage, token)) return stage;
  return -1;
}

std::string ShownChain::whyOut(int token) const {
  const int stage = outAt(token);
  if (stage < 1) return "";
  const ChainLink by = link(stage);
  if (by.isConstraint) return isBanned(token) ? "banned" : "does not fit";
  if (!by.stage || !by.stage->reason) return "";
  RankedCandidate candidate;
  candidate.probability = p(stage - 1, token);
  candidate.before = before_(stage - 1, token);
  candidate.largest = p(stage - 1, likeliest(stage - 1, 1).front());
  candidate.entropy = *valueOf(sources_, cell(chain::entropy, stage - 1));
  for (int other = 0; other < vocabulary(); ++other)
    candidate.rank += p(stage - 1, other) > p(stage - 1, token) ||
                      (p(stage - 1, other) == p(stage - 1, token) && other < token);
  return by.stage->reason(candidate, decoding_.stages.of(*by.stage));
}

}  // namespace glassformer
