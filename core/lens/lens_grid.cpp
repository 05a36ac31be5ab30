#include "core/lens/lens_grid.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/stopped_passes.h"
#include "core/model/read_out.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
constexpr int rowsAtOnce = 32;  // of logits that are held

// A token, and its probability or what that moved by.
struct Entry {
  int token = -1;
  float number = unknown;
};

Entry likeliestOf(std::span<const float> p) {
  const auto most = std::ranges::max_element(p);
  return {static_cast<int>(most - p.begin()), *most};
}

// Those whose probability rises and falls most.
std::pair<Entry, Entry> movedMost(std::span<const float> p, std::span<const float> before) {
  Entry promoted{0, p[0] - before[0]}, suppressed = promoted;
  for (std::size_t v = 1; v < p.size(); ++v) {
    const float moved = p[v] - before[v];
    if (moved > promoted.number) promoted = {static_cast<int>(v), moved};
    if (moved < suppressed.number) suppressed = {static_cast<int>(v), moved};
  }
  return {promoted, suppressed};
}

// One of these of every place and token [P, T].
struct Entries {
  Entries(int P, int T) : tokens({P, T}), numbers({P, T}) {}
  void put(int place, int t, const Entry& entry) {
    tokens(place, t) = static_cast<float>(entry.token), numbers(place, t) = entry.number;
  }
  Tensor tokens, numbers;
};

// The logits of `rows` tokens from t on, were the model to stop at a place [rows, V].
TensorView stoppedLogits(ReadOut& readOut, const TensorView& stream, int t, int rows) {
  for (int row = 0; row < rows; ++row) readOut.put(row, stream[t + row]);
  return readOut.logits(rows);
}

int tokenAt(const TensorView& tokens, const Index& at) { return static_cast<int>(tokens(at[0], at[1])); }

// What the number at an index was made of by read-outs that have to run again.
using StoppedAcross = MultiPassDerivation (*)(const Transformer&, const Trace&, int, Prediction);
OpenPasses openedBy(StoppedAcross across, const Transformer& model, const Trace& trace, const Index& at,
                    int token) {
  return [=, &model, &trace] { return across(model, trace, at[0], {at[1], token}); };
}

void addLikeliest(const Transformer& model, const Trace& trace, Entries likeliest, TensorSet& set) {
  const std::string logits = logitWords(model.config(), "x");
  const int last = likeliest.tokens.view().extent[0] - 1;
  set.add({lens_grid::token, "PT", "top next token, if the model stopped there", "argmax " + logits},
          std::move(likeliest.tokens));
  const TensorView said = trace["logits"], tokens = set[lens_grid::token];
  set.addAcross(
      {lens_grid::probability, "PT", "its probability, if the model stopped there",
       "max softmax(" + logits + ")"},
      std::move(likeliest.numbers),
      [=, &model, &trace](const Index& at) -> OpenPasses {
        return at[0] == last ? nullptr : openedBy(stoppedAcross, model, trace, at, tokenAt(tokens, at));
      },
      [=](const Index& at) -> std::optional<Derivation> {
        if (at[0] != last) return std::nullopt;
        return derivedProbability(said[at[1]], tokenAt(tokens, at));
      });
}

void addMoved(const Transformer& model, const Trace& trace, TracePoint token, TracePoint number,
              Entries moved, TensorSet& set) {
  const std::string name = token.name;
  set.add(std::move(token), std::move(moved.tokens));
  set.addAcross(std::move(number), std::move(moved.numbers),
                [&model, &trace, tokens = set[name]](const Index& at) -> OpenPasses {
                  return at[0] == 0 ? nullptr
                                    : openedBy(promotionAcross, model, trace, at, tokenAt(tokens, at));
                });
}

}  // namespace

void measureLensGrid(const Transformer& model, const Trace& trace, TensorSet& measurements,
                     const ProgressCallback& watch) {
  const auto places = residualPlaces(model);
  const int P = static_cast<int>(places.size()), T = trace.tokenCount();
  const auto V = static_cast<std::size_t>(model.config().vocabulary);
  Entries likeliest(P, T), promoted(P, T), suppressed(P, T);
  ReadOut readOut(model, std::min(rowsAtOnce, T));
  AlignedVector p(V);
  std::vector<float> before(static_cast<std::size_t>(rowsAtOnce) * V);  // of the place before, row by row
  int part = 0;
  const int parts = P * ((T + rowsAtOnce - 1) / rowsAtOnce);
  for (int t = 0; t < T; t += rowsAtOnce) {
    const int rows = std::min(rowsAtOnce, T - t);
    for (int place = 0; place < P; ++place) {
      if (!watch(part++, parts)) return;
      const bool isEnd = place == P - 1;
      const TensorView stream = trace[places[static_cast<std::size_t>(place)].passedOn],
                       logits = isEnd ? trace["logits"] : stoppedLogits(readOut, stream, t, rows);
      for (int row = 0; row < rows; ++row) {
        kernels().softmax(&logits(isEnd ? t + row : row, 0), p.data(), static_cast<int>(V));
        likeliest.put(place, t + row, likeliestOf(p));
        const std::span<float> stood(before.data() + static_cast<std::size_t>(row) * V, V);
        const auto [raised, lowered] = place > 0 ? movedMost(p, stood) : std::pair<Entry, Entry>();
        promoted.put(place, t + row, raised), suppressed.put(place, t + row, lowered);
        std::ranges::copy(p, stood.begin());
      }
    }
  }
  watch(parts, parts);
  addLikeliest(model, trace, std::move(likeliest), measurements);
  addMoved(model, trace,
           {lens_grid::promoted, "PT", "token whose probability this sublayer raises most", "argmax Δp"},
           {lens_grid::promotion, "PT", "rise of its probability", "max (p after − p before)"},
           std::move(promoted), measurements);
  addMoved(model, trace,
           {lens_grid::suppressed, "PT", "the token that this sublayer makes less likely than any other",
            "argmin Δp"},
           {lens_grid::suppression, "PT", "fall of its probability", "min (p after − p before)"},
           std::move(suppressed), measurements);
}

}  // namespace glassformer
