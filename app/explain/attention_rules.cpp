#include "app/explain/operands.h"
#include "app/explain/terms.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "app/scene/format.h"
#include "core/lens/head_id.h"
#include "core/lens/linear_state.h"

namespace glassformer {

namespace {

// The heads that a measured plane is named after, one behind the other: "lens.pattern.difference.L2H0.L1H3",
// "lens.scores.cross.L0H1".
std::vector<HeadId> headsIn(const Operands& o) {
  std::vector<HeadId> heads;
  std::istringstream parts(o.cell.tensor);
  AttentionSite site = AttentionSite::Only;
  for (std::string part; std::getline(parts, part, '.');) {
    for (const AttentionSite each : {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Across})
      if (nameOf(HeadId{0, 0, each}) == part + ".L0H0") site = each;
    if (HeadId head;
        std::sscanf(part.c_str(), "L%dH%d", &head.layer, &head.head) == 2 && nameOf(head) == part)
      heads.push_back({head.layer, head.head, site});
  }
  return heads;
}
// The terms that a mask may have written over.
std::optional<Explanation> unmaskedScore(const Operands& o) {
  const auto heads = headsIn(o);
  if (heads.size() != 1) return std::nullopt;
  const std::string scores = attentionPoint(heads[0].layer, heads[0].site, "hook_attn_scores");
  auto derivation = o.snapshot.pass->trace->derive(scores, {heads[0].head, o.cell.index[0], o.cell.index[1]});
  if (!derivation) return std::nullopt;
  derivation->form = o.config.scoreCap > 0 ? Form::Capped : Form::Sum;
  derivation->constant = o.config.scoreCap;
  return explained(*derivation);
}
std::optional<Explanation> movedLength(const Operands& o) {
  const auto heads = headsIn(o);
  if (heads.size() != 1 || o.cell.tensor != "lens.moved." + nameOf(heads[0])) return std::nullopt;
  const auto [query, key, unused, unused2] = o.cell.index;
  const std::string pattern = attentionPoint(heads[0].layer, heads[0].site, "hook_pattern");
  const float share = o.at(pattern, {heads[0].head, query, key});
  const float length = o.at("lens.value_norm." + nameOf(heads[0]), {key});
  return Explanation{{"= " + formatted(share) + " · " + formatted(length)}, share * length, false};
}
std::optional<Explanation> headDifference(const Operands& o) {
  const auto heads = headsIn(o);
  if (heads.size() != 2) return std::nullopt;
  const int query = o.cell.index[0], key = o.cell.index[1];
  const auto of = [&](HeadId head) {
    if (o.cell.tensor.starts_with("lens.moved")) return o.at("lens.moved." + nameOf(head), {query, key});
    return o.at(attentionPoint(head.layer, head.site, "hook_pattern"), {head.head, query, key});
  };
  const float a = of(heads[0]), b = of(heads[1]);
  return Explanation{{"= " + formatted(a) + " − " + signedOperand(b)}, a - b, false};
}

// What a running state gives: all values that the query finds, divided by all keys that it finds.
std::optional<Explanation> readOut(const Operands& o) {
  const std::string head = o.cell.tensor.substr(std::string_view(linearState::out).size());
  const float read = o.at(linearState::read + head, o.cell.index),
              share = o.at(linearState::share + head, {o.cell.index[0]});
  return Explanation{{"= " + formatted(read) + " / " + signedOperand(share)}, read / share, false};
}

constexpr ExplanationRule attentionTable[] = {
    {"lens.scores.", unmaskedScore},
    {"lens.moved.difference.", headDifference},
    {"lens.pattern.difference.", headDifference},
    {"lens.moved.", movedLength},
    {"lens.linear_out.", readOut},
};

}  // namespace

std::span<const ExplanationRule> attentionRules() { return attentionTable; }

}  // namespace glassformer
