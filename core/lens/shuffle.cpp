#include "core/lens/shuffle.h"

#include <cctype>
#include <cmath>
#include <numeric>

#include "core/model/live_pass.h"
#include "core/model/point_names.h"
#include "core/model/positional/none.h"
#include "core/model/positional/positional_encoding.h"
#include "core/random.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

void shuffleBetween(std::vector<int>& order, int first, int last, Random& random) {
  for (int i = last; i > first; --i) {
    const int other = first + random.below(i - first + 1);
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
  }
}

const char* maskName(MaskKind kind) {
  if (kind == MaskKind::Causal) return "the causal mask";
  return kind == MaskKind::Prefix ? "the prefix mask" : "the window mask";
}

// The same pass over the tokens in another order.
std::shared_ptr<const Trace> passInOrder(const Transformer& model, const Trace& trace,
                                         const Interventions& interventions, const std::vector<int>& order) {
  std::vector<int> tokens;
  for (const int t : order) tokens.push_back(trace.tokens()[static_cast<std::size_t>(t)]);
  // The model outlives the pass, which keeps it no longer than this call.
  LivePass live(std::shared_ptr<const Transformer>(std::shared_ptr<const void>(), &model), 1);
  return live.run(tokens, interventions, trace.source());
}

// Each token's vector x [T, D] beside its own in the other order.
struct Moves {
  Moves(const TensorView& x, const TensorView& other, const std::vector<int>& order)
      : orders({x.extent[0]}),
        places(orders),
        norms(orders),
        lengths(orders),
        vectors({x.extent[0], x.extent[1]}) {
    for (int place = 0; place < x.extent[0]; ++place) {
      const int t = order[static_cast<std::size_t>(place)];
      orders(place) = static_cast<float>(t), places(t) = static_cast<float>(place);
      double moved = 0, own = 0;
      for (int d = 0; d < x.extent[1]; ++d) {
        const double delta = vectors(t, d) = other(place, d) - x(t, d);
        moved += delta * delta, own += static_cast<double>(x(t, d)) * x(t, d);
      }
      norms(t) = static_cast<float>(std::sqrt(moved)), lengths(t) = static_cast<float>(std::sqrt(own));
      allMoved += moved, all += own;
    }
  }

  Tensor orders, places, norms, lengths, vectors;
  double allMoved = 0, all = 0;
};

void addMoves(const TensorView& x, Moves moves, TensorSet& set) {
  set.add({shuffle::order, "T", "token of the text at each position", ""}, std::move(moves.orders));
  set.add({shuffle::place, "T", "position of each token of the text", ""}, std::move(moves.places));
  set.add({shuffle::vectors, "TD", "change of each token's final vector in the new order",
           "Δ_t = x′[place of t] − x[t]"},
          std::move(moves.vectors));
  set.add({shuffle::norms, "T", "norm of the change of each token's final vector in the new order", "‖Δ_t‖"},
          std::move(moves.norms),
          [moved = set[shuffle::vectors]](const Index& at) { return derivedLength(moved[at[0]]); });
  set.add({shuffle::lengths, "T", "norm of each token's final vector", "‖x_t‖"}, std::move(moves.lengths),
          [x](const Index& at) { return derivedLength(x[at[0]]); });
  set.add(
      {shuffle::total, "Z", "norm of the change of all of them, and their norm", "√Σ ‖Δ_t‖², √Σ ‖x_t‖²"},
      Tensor({2}, {static_cast<float>(std::sqrt(moves.allMoved)), static_cast<float>(std::sqrt(moves.all))}),
      [moved = set[shuffle::norms], all = set[shuffle::lengths]](const Index& at) {
        return derivedLength(at[0] == 0 ? moved : all);
      });
}

// The first letter small, but for names: "learned", "ALiBi", "T5 bias".
std::string inSentence(std::string_view name) {
  std::string words(name);
  const std::string_view first = name.substr(0, name.find(' '));
  const bool isName = first.size() > 1 && std::ranges::any_of(first.substr(1), [](char c) {
                        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
                      });
  if (!words.empty() && !isName)
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

}  // namespace

std::vector<int> shuffledOrder(int count, int before, int behind, std::uint64_t seed) {
  std::vector<int> own(static_cast<std::size_t>(count));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> order = own;
  Random random(seed);
  const int last = count - 1 - behind;
  while (order == own && last > before) shuffleBetween(order, before, last, random);
  return order;
}

void measureShuffle(const Transformer& model, const Trace& trace, const Interventions& interventions,
                    const std::vector<int>& order, TensorSet& set) {
  const std::string point = blockPoint(model.config(), model.config().layers - 1, "hook_resid_post");
  const auto shuffled = passInOrder(model, trace, interventions, order);
  addMoves(trace[point], Moves(trace[point], (*shuffled)[point], order), set);
}

std::vector<std::string> whatTellsPlaces(const ModelConfig& config) {
  if (config.mixing == Mixing::Recurrence) return {"the recurrence"};
  if (config.mixing == Mixing::Convolution) return {"the convolution"};
  std::vector<std::string> all;
  if (config.positions != &noPositions())
    all.push_back(inSentence(config.positions->description().name) + " positions");
  if (config.kernel == AttentionKernel::Distance) all.push_back("scores by distance");
  if (config.mask.kind != MaskKind::None) all.push_back(maskName(config.mask.kind));
  if (!config.mask.painted.empty()) all.push_back("the edited mask");
  return all;
}

}  // namespace glassformer
