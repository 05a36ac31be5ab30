#include "core/decode/penalties.h"

namespace glassformer {

void penalizeRepetition(Candidates& candidates, float penalty) {
  for (Candidate& c : candidates)
    if (c.seen > 0) c.logit = c.logit > 0 ? c.logit / penalty : c.logit * penalty;
  rerank(candidates);
}

void penalizeFrequency(Candidates& candidates, float penalty) {
  for (Candidate& c : candidates) c.logit -= penalty * static_cast<float>(c.seen);
  rerank(candidates);
}

void penalizePresence(Candidates& candidates, float penalty) {
  for (Candidate& c : candidates)
    if (c.seen > 0) c.logit -= penalty;
  rerank(candidates);
}

}  // namespace glassformer
