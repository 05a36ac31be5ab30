#include "core/lens/one_query.h"

#include <algorithm>
#include <numeric>

#include "core/lens/attention_stages.h"
#include "core/lens/value_norms.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

class OneQuery {
 public:
  OneQuery(const Transformer& model, const Trace& trace, HeadId head, int query,
           const std::vector<int>& first, TensorSet& set)
      : model_(model),
        trace_(trace),
        head_(head),
        query_(query),
        set_(set),
        weights_(traced("hook_pattern")[head.head][query]),
        values_(headRows(traced("hook_v"), head.head, model.config().heads)),
        order_(keysInOrder(weights_, first)) {}

  void measure() {
    add(oneQuery::query, "1", "the query whose row this is", "t", Tensor({1}, {static_cast<float>(query_)}));
    add(oneQuery::order, "Z", "the keys, the largest weights first", "s",
        Tensor({keys()}, std::vector<float>(order_.begin(), order_.end())));
    addWeighted();
    addRest(oneQuery::restOfWeights, "weight of all other keys together", "Σ A", weights_);
    if (const std::string name = stageTensor(stages::exponentials, head_); set_.contains(name))
      addRest(oneQuery::restOfExponentials, "sum of the exponentials of the other keys", "Σ exp(s − max s)",
              set_[name][query_]);
    if (!model_.config().headsOutputFullWidth()) addOutput();
  }

 private:
  TensorView traced(const char* point) const {
    return trace_[attentionPoint(head_.layer, head_.site, point)];
  }
  int keys() const { return weights_.extent[0]; }
  int keyAt(int place) const { return order_[static_cast<std::size_t>(place)]; }

  TensorView add(const char* name, const char* letters, const char* meaning, const char* equation,
                 Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    const std::string full = stageTensor(name, head_);
    set_.add({full, letters, meaning, equation, queriesOf(head_.site), keysOf(head_.site)}, std::move(values),
             std::move(derivation));
    return set_[full];
  }

  void addWeighted() {
    const int K = values_.extent[1];
    Tensor weighted({keys(), K});
    for (int s = 0; s < keys(); ++s)
      for (int k = 0; k < K; ++k) weighted(s, k) = weights_(s) * values_(s, k);
    const TensorView all = add(oneQuery::weighted, "SK", "each value times its attention weight", "A · v",
                               std::move(weighted), [a = weights_, v = values_](const Index& at) {
                                 return Derivation{.terms = {{&a(at[0]), &v(at[0], at[1])}}};
                               });
    Tensor rest({keys(), K});
    for (int z = keys() - 1; z >= 0; --z)
      for (int k = 0; k < K; ++k) rest(z, k) = all(keyAt(z), k) + (z + 1 < keys() ? rest(z + 1, k) : 0);
    add(oneQuery::restOfValues, "ZK", "weighted sum of the other keys' values", "Σ A · v", std::move(rest),
        [all, order = order_](const Index& at) {
          Derivation d;
          for (std::size_t z = static_cast<std::size_t>(at[0]); z < order.size(); ++z)
            d.terms.push_back({&all(order[z], at[1])});
          return d;
        });
  }

  // Of numbers [S] of the query.
  void addRest(const char* name, const char* meaning, const char* equation, const TensorView& row) {
    Tensor rest({keys()});
    for (int z = keys() - 1; z >= 0; --z) rest(z) = row(keyAt(z)) + (z + 1 < keys() ? rest(z + 1) : 0);
    add(name, "Z", meaning, equation, std::move(rest), [row, order = order_](const Index& at) {
      Derivation d;
      for (std::size_t z = static_cast<std::size_t>(at[0]); z < order.size(); ++z)
        d.terms.push_back({&row(order[z])});
      return d;
    });
  }

  void addOutput() {
    const TensorView z = traced("hook_z")[query_][head_.head];
    const int K = z.extent[0], D = model_.config().width;
    const TensorView W = model_.parameters()[attentionWeights(head_.layer, head_.site) + "c_proj.weight"];
    const TensorView row(z.data, {1, K}, {K * z.stride[0], z.stride[0]});
    add(oneQuery::output, "D", "output of this head to the residual stream", "z · W_O",
        Tensor({D}, writtenBy(model_, head_, row).values()),
        [z, W, K, first = head_.head * K](const Index& at) {
          Derivation d;
          for (int k = 0; k < K; ++k) d.terms.push_back({&z(k), &W(first + k, at[0])});
          return d;
        });
  }

  const Transformer& model_;
  const Trace& trace_;
  HeadId head_;
  int query_;
  TensorSet& set_;
  TensorView weights_, values_;  // [S], [S, K]
  std::vector<int> order_;
};

}  // namespace

std::vector<int> keysInOrder(const TensorView& weights, const std::vector<int>& first) {
  std::vector<int> order;
  const auto add = [&](int key) {
    if (std::ranges::find(order, key) == order.end()) order.push_back(key);
  };
  for (const int key : first)
    if (key >= 0 && key < weights.extent[0]) add(key);
  std::vector<int> others(static_cast<std::size_t>(weights.extent[0]));
  std::iota(others.begin(), others.end(), 0);
  std::erase_if(others, [&](int key) { return std::ranges::find(order, key) != order.end(); });
  std::ranges::stable_sort(others, std::greater{}, [&](int key) { return weights(key); });
  order.insert(order.end(), others.begin(), others.end());
  return order;
}

void measureOneQuery(const Transformer& model, const Trace& trace, HeadId head, int query,
                     const std::vector<int>& first, TensorSet& set) {
  if (model.config().hasAttention()) OneQuery(model, trace, head, query, first, set).measure();
}

}  // namespace glassformer
