#include "core/lens/attention_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "core/lens/scores.h"
#include "core/lens/value_norms.h"
#include "core/model/catalogue.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

struct Words {
  const char *name, *meaning, *symbol;
};

Words wordsOf(AttentionQuantity quantity) {
  switch (quantity) {
    case AttentionQuantity::Scores:
      return {"lens.scores", "match of each query with each key, before the mask", "s"};
    case AttentionQuantity::Masked:
      return {"lens.masked", "match of each query with each key; hidden keys are masked", "s"};
    case AttentionQuantity::Pattern:
      return {"lens.pattern", "attention weight of each query and key", "A"};
    case AttentionQuantity::ValueWeighted:
      return {"lens.moved", "norm of the vector that the head moves from each key to each query",
              "‖A · v · W_O‖"};
    case AttentionQuantity::ValueWeightedExcess:
      break;
  }
  return {"lens.surplus", "value-weighted share minus attention weight", "surplus"};
}

// As it was computed.
std::string equationOf(AttentionQuantity quantity, const Transformer& model, const Trace& trace,
                       HeadId head) {
  const ModelConfig& config = model.config();
  const auto traced = [&](const char* point) {
    return trace.point(trace.find(attentionPoint(head.layer, head.site, point))).equation;
  };
  const std::string v = config.headsOutputFullWidth() ? "v" : "v · W_O";
  switch (quantity) {
    case AttentionQuantity::Scores:
      return "s = " + scoresEquation(model, trace, head.layer, head.site);
    case AttentionQuantity::Masked:
      return traced("hook_attn_scores");
    case AttentionQuantity::Pattern:
      return traced("hook_pattern");
    case AttentionQuantity::ValueWeighted:
      return "‖A · " + v + "‖ = A · ‖" + v + "‖";
    case AttentionQuantity::ValueWeightedExcess:
      break;
  }
  return "‖A · " + v + "‖ / Σ ‖A · " + v + "‖ − A";
}

TensorView headOf(const Trace& trace, HeadId head, const char* point) {
  return trace[attentionPoint(head.layer, head.site, point)][head.head];
}

// By rows, whose values lie side by side.
Tensor copyOf(const TensorView& plane) {
  const int T = plane.extent[0], S = plane.extent[1];
  Tensor copy({T, S});
  for (int t = 0; t < T; ++t) std::copy_n(&plane(t, 0), S, &copy(t, 0));
  return copy;
}

// Calls visit(row, values) for each row of a [T, S] plane.
template <typename Visit>
void eachRow(Tensor& plane, Visit visit) {
  const int S = plane.view().extent[1];
  for (int t = 0; t < plane.view().extent[0]; ++t)
    visit(t, std::span(&plane(t, 0), static_cast<std::size_t>(S)));
}

void divide(std::span<float> row, float by) {
  if (by > 0)
    for (float& value : row) value /= by;
}

Tensor moved(const Transformer& model, const Trace& trace, HeadId head) {
  Tensor plane = copyOf(headOf(trace, head, "hook_pattern"));
  const Tensor norms = valueNorms(model, trace, head);
  eachRow(plane, [&](int, std::span<float> row) {
    for (std::size_t s = 0; s < row.size(); ++s) row[s] *= norms.values()[s];
  });
  return plane;
}

// Shares of what is moved, minus shares of the pattern.
Tensor surplus(const Transformer& model, const Trace& trace, HeadId head) {
  Tensor plane = moved(model, trace, head);
  const TensorView pattern = headOf(trace, head, "hook_pattern");
  eachRow(plane, [&](int t, std::span<float> row) {
    divide(row, std::accumulate(row.begin(), row.end(), 0.0f));
    for (std::size_t s = 0; s < row.size(); ++s) row[s] -= pattern(t, static_cast<int>(s));
  });
  return plane;
}

// One quantity, head by head.
class HeadPlanes {
 public:
  HeadPlanes(const Transformer& model, const Trace& trace, AttentionQuantity quantity)
      : model_(model), trace_(trace), quantity_(quantity) {}

  Tensor of(HeadId head) {
    switch (quantity_) {
      case AttentionQuantity::Scores:
        return copyOf(scoresAround(head).view()[head.head]);
      case AttentionQuantity::Masked:
        return copyOf(headOf(trace_, head, "hook_attn_scores"));
      case AttentionQuantity::Pattern:
        return copyOf(headOf(trace_, head, "hook_pattern"));
      case AttentionQuantity::ValueWeighted:
        return moved(model_, trace_, head);
      case AttentionQuantity::ValueWeightedExcess:
        break;
    }
    return surplus(model_, trace_, head);
  }

 private:
  // All heads of a layer are computed at once, and often asked for one after the other.
  const Tensor& scoresAround(HeadId head) {
    if (layer_ != head.layer) scores_ = unmaskedScores(model_, trace_, layer_ = head.layer, head.site);
    return scores_;
  }

  const Transformer& model_;
  const Trace& trace_;
  AttentionQuantity quantity_;
  int layer_ = -1;  // whose scores these are
  Tensor scores_;   // [H, T, S]
};

// Nothing where the watch stopped it.
std::optional<Tensor> folded(const Transformer& model, const Trace& trace, const AttentionPlane& plane,
                             const ProgressCallback& watch) {
  const auto count = static_cast<int>(plane.heads.size());
  if (!watch(0, count)) return std::nullopt;
  HeadPlanes planes(model, trace, plane.quantity);
  Tensor result = planes.of(plane.heads.front());
  std::vector<float>& values = result.values();
  for (std::size_t h = 1; h < plane.heads.size(); ++h) {
    if (!watch(static_cast<int>(h), count)) return std::nullopt;
    const Tensor other = planes.of(plane.heads[h]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float next = other.values()[i];
      if (plane.fold == HeadFold::Average) values[i] += next;
      if (plane.fold == HeadFold::Maximum) values[i] = std::max(values[i], next);
      if (plane.fold == HeadFold::Difference) values[i] -= next;
    }
  }
  if (plane.fold == HeadFold::Average)
    for (float& value : values) value /= static_cast<float>(count);
  watch(count, count);
  return result;
}

AttentionPlane inTextOrder(AttentionPlane plane) {
  plane.order = RowOrder::Text;
  plane.key = 0;
  return plane;
}

// The plane in the order of the text.
std::optional<Tensor> computed(const Transformer& model, const Trace& trace, const AttentionPlane& plane,
                               const ProgressCallback& watch) {
  std::optional<Tensor> result = folded(model, trace, plane, watch);
  if (result && plane.normalized)
    eachRow(*result,
            [](int, std::span<float> row) { divide(row, *std::max_element(row.begin(), row.end())); });
  return result;
}

TracePoint describe(const AttentionPlane& plane, const Transformer& model, const Trace& trace) {
  const Words words = wordsOf(plane.quantity);
  const AttentionSite site = plane.heads.front().site;
  TracePoint point{tensorOf(plane), "TS",
                   words.meaning,   equationOf(plane.quantity, model, trace, plane.heads.front()),
                   queriesOf(site), keysOf(site)};
  std::string value = words.symbol;
  if (plane.fold == HeadFold::Average || plane.fold == HeadFold::Maximum) {
    const bool average = plane.fold == HeadFold::Average;
    point.meaning += std::string(average ? ", average" : ", maximum") + " of " +
                     std::to_string(plane.heads.size()) + " heads";
    point.equation = value = (average ? "mean over heads of " : "max over heads of ") + value;
  }
  if (plane.fold == HeadFold::Difference) {
    const std::string first = nameOf(plane.heads.front()), second = nameOf(plane.heads.back());
    point.meaning += ", " + first + " minus " + second;
    point.equation = value + " of " + first + " − " + value + " of " + second;
  }
  if (plane.normalized) {
    point.meaning += "; every row divided by its largest";
    point.equation = value + ", divided by its row’s largest";
  }
  if (plane.order != RowOrder::Text) point.meaning += "; rows in another order, −∞ where masked";
  return point;
}

AttentionMask maskOver(const AttentionPlane& plane, const ModelConfig& config) {
  const HeadId head = plane.heads.front();
  return keysOf(head.site) == Stream::Source ? AttentionMask{MaskKind::None, 0, {}}
                                             : config.maskOf(head.layer);
}

std::vector<int> orderOf(const Tensor& values, const AttentionPlane& plane, const ModelConfig& config) {
  const int T = values.view().extent[0], S = values.view().extent[1];
  const AttentionMask mask = maskOver(plane, config);
  const auto rank = [&](int t) {
    if (plane.order == RowOrder::Key) return values(t, std::clamp(plane.key, 0, S - 1));
    float most = -std::numeric_limits<float>::infinity();
    for (int s = 0; s < S; ++s)
      if (mask.allows(t, s)) most = std::max(most, values(t, s));
    return most;
  };
  std::vector<int> order(static_cast<std::size_t>(T));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) > rank(b); });
  return order;
}

// The rows of `values` in this order. What a forbidden key would have is masked by place no longer: it
// becomes −∞.
Tensor permuted(const Tensor& values, const std::vector<int>& order, const AttentionPlane& plane,
                const ModelConfig& config) {
  const int T = values.view().extent[0], S = values.view().extent[1];
  const AttentionMask mask = maskOver(plane, config);
  Tensor result({T, S});
  for (int row = 0; row < T; ++row) {
    const int t = order[static_cast<std::size_t>(row)];
    for (int s = 0; s < S; ++s)
      result(row, s) =
          values(t, s) == 0 && !mask.allows(t, s) ? -std::numeric_limits<float>::infinity() : values(t, s);
  }
  return result;
}

void addValueNorms(const Transformer& model, const Trace& trace, HeadId head, TensorSet& measurements) {
  const std::string name = "lens.value_norm." + nameOf(head);
  if (measurements.contains(name)) return;
  measurements.add({name, "S", "length of each value in the residual stream", "‖v · W_O‖", Stream::Text,
                    keysOf(head.site)},
                   valueNorms(model, trace, head));
}

// What a head's own scores are made of, before a mask writes over them.
TensorSet::DerivationOf unmasked(HeadId head, float cap, const Trace& trace) {
  return [head, cap, &trace](const Index& at) {
    const std::string scores = attentionPoint(head.layer, head.site, "hook_attn_scores");
    auto derivation = trace.derive(scores, {head.head, at[0], at[1]});
    if (!derivation) return derivation;
    derivation->form = cap > 0 ? Form::Capped : Form::Sum;
    derivation->constant = cap;
    return derivation;
  };
}

// How a plane in the order of the text comes about; nothing where its numbers are made of several heads', or
// divided.
TensorSet::DerivationOf madeOf(const AttentionPlane& plane, const ModelConfig& config, const Trace& trace,
                               const TensorSet& measurements) {
  if (plane.normalized) return nullptr;
  const auto pattern = [&](HeadId head) {
    return trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  };
  const HeadId first = plane.heads.front(), last = plane.heads.back();
  const bool isOne = plane.fold == HeadFold::One;
  if (isOne && plane.quantity == AttentionQuantity::Scores) return unmasked(first, config.scoreCap, trace);
  if (isOne && plane.quantity == AttentionQuantity::ValueWeighted)
    return [a = pattern(first), length = measurements["lens.value_norm." + nameOf(first)]](const Index& at) {
      return Derivation{.terms = {{&a(at[0], at[1]), &length(at[1])}}};
    };
  if (plane.fold == HeadFold::Difference && plane.quantity == AttentionQuantity::ValueWeighted)
    return [a = pattern(first), b = pattern(last), lengthA = measurements["lens.value_norm." + nameOf(first)],
            lengthB = measurements["lens.value_norm." + nameOf(last)]](const Index& at) {
      const int t = at[0], s = at[1];
      return Derivation{.terms = {{&a(t, s), &lengthA(s)}, {&b(t, s), &lengthB(s), -1}}};
    };
  if (plane.fold == HeadFold::Difference && plane.quantity == AttentionQuantity::Pattern)
    return [a = pattern(first), b = pattern(last)](const Index& at) {
      return derivedDifference(&a(at[0], at[1]), &b(at[0], at[1]));
    };
  return nullptr;
}

}  // namespace

bool isTraced(const AttentionPlane& plane) {
  return plane.fold == HeadFold::One && !plane.normalized && plane.order == RowOrder::Text &&
         (plane.quantity == AttentionQuantity::Masked || plane.quantity == AttentionQuantity::Pattern);
}

std::string tensorOf(const AttentionPlane& plane) {
  const bool masked = plane.quantity == AttentionQuantity::Masked;
  const HeadId first = plane.heads.front();
  if (isTraced(plane))
    return attentionPoint(first.layer, first.site, masked ? "hook_attn_scores" : "hook_pattern");
  std::string name = wordsOf(plane.quantity).name;
  if (plane.fold == HeadFold::Average) name += ".average";
  if (plane.fold == HeadFold::Maximum) name += ".maximum";
  name += plane.fold == HeadFold::Difference
              ? ".difference." + nameOf(plane.heads.front()) + "." + nameOf(plane.heads.back())
              : "." + nameOf(plane.heads);
  if (plane.normalized) name += ".normalized";
  if (plane.order == RowOrder::Focus) name += ".by_focus";
  if (plane.order == RowOrder::Key) name += ".by_key_" + std::to_string(plane.key);
  return name;
}

std::string rowsTensorOf(const AttentionPlane& plane) { return tensorOf(plane) + ".rows"; }

void measureAttention(const Transformer& model, const Trace& trace, const AttentionPlane& plane,
                      TensorSet& measurements, const ProgressCallback& watch) {
  const ModelConfig& config = model.config();
  if (isTraced(plane) || measurements.contains(tensorOf(plane))) return;
  std::optional<Tensor> whole = computed(model, trace, plane, watch);
  if (!whole) return;
  Tensor values = std::move(*whole);
  const bool isMade = plane.fold == HeadFold::One || plane.fold == HeadFold::Difference;
  if (plane.quantity == AttentionQuantity::ValueWeighted && isMade)
    for (const HeadId head : plane.heads) addValueNorms(model, trace, head, measurements);
  if (plane.order == RowOrder::Text)
    return measurements.add(describe(plane, model, trace), std::move(values),
                            madeOf(plane, config, trace, measurements));
  const std::vector<int> order = orderOf(values, plane, config);
  measurements.add(describe(plane, model, trace), permuted(values, order, plane, config));
  const Stream rows = queriesOf(plane.heads.front().site);
  measurements.add({rowsTensorOf(plane), "T", "the query that each row is of", "order of the rows", rows},
                   Tensor({static_cast<int>(order.size())}, std::vector<float>(order.begin(), order.end())));
  const AttentionPlane plain = inTextOrder(plane);
  if (!isTraced(plain) && !measurements.contains(tensorOf(plain)))
    measurements.add(describe(plain, model, trace), std::move(values),
                     madeOf(plain, config, trace, measurements));
}

}  // namespace glassformer
