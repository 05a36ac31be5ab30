#include "core/lens/head_finder.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace glassformer {
namespace {

// Welford 1962: the mean, and the sum of the squared deviations from it.
void include(double score, HeadFit& fit) {
  const double before = score - fit.mean;
  fit.mean += before / ++fit.texts;
  fit.deviation += before * (score - fit.mean);
}

}  // namespace

HeadFinder::HeadFinder(const ModelConfig& config) : config_(config) {
  std::vector<HeadFit> heads;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < config.layers; ++layer)
      for (int head = 0; head < config.heads; ++head) heads.push_back({.head = {layer, head, site}});
  fits_.assign(headHypotheses().size(), heads);
}

void HeadFinder::add(const Trace& trace) {
  for (std::size_t i = 0; i < fits_.size(); ++i) {
    auto fit = fits_[i].begin();
    for (const AttentionSite site : sitesOf(config_)) {
      const Claims claims = claimsOf(headHypotheses()[i], attendedTokens(trace, site));
      if (!claimsAnything(claims)) {
        fit += config_.layers * config_.heads;
        continue;
      }
      for (int layer = 0; layer < config_.layers; ++layer)
        for (const double score :
             claimedAttention(trace[attentionPoint(layer, site, "hook_pattern")], claims))
          include(score, *fit++);
    }
  }
}

std::vector<HeadFit> HeadFinder::fits(std::size_t index) const {
  std::vector<HeadFit> fits = fits_[index];
  std::erase_if(fits, [](const HeadFit& fit) { return fit.texts == 0; });
  for (HeadFit& fit : fits) fit.deviation = fit.texts > 1 ? std::sqrt(fit.deviation / (fit.texts - 1)) : 0;
  std::ranges::stable_sort(fits, std::greater{}, &HeadFit::mean);
  return fits;
}

}  // namespace glassformer
