#include "core/lens/chain_rule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/lens/across_changes.h"
#include "core/lens/answer_metric.h"
#include "core/lens/distribution.h"
#include "core/lens/gradient_pass.h"
#include "core/lens/intervention_slopes.h"
#include "core/lens/slopes.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

bool isSquare(const TracePoint& point) { return point.letters == "HTS"; }
std::size_t rowDimension(const TracePoint& point) { return isSquare(point) ? 1 : 0; }
// Of tables; a norm's own scale is no step of its own.
bool isKept(const TracePoint& point) {
  return point.letters.starts_with("T") && !point.name.ends_with("hook_scale");
}

// ∂/∂x of a sum of products, times `outer`, each as a term beside the gradient g of the whole.
void addSlopes(const Derivation& sum, Cell x, Cell g, double outer, std::vector<Term>& terms) {
  for (const Term& term : sum.terms) {
    const auto slope = static_cast<float>(outer * static_cast<double>(term.coefficient));
    if (term.factor == x) terms.push_back({g, term.other, slope});
    if (term.other == x) terms.push_back({g, term.factor, slope});
  }
}

// γ/σ (δ − [centred] 1/D − n̂ n̂_x / D), n̂ = (x − μ)/σ, of the number at the place `chosen` by that at `at`.
double normSlope(const Derivation& norm, std::size_t at) {
  const auto D = static_cast<double>(norm.terms.size());
  const double sigma = norm.spread(), mean = norm.mean();
  const auto normalized = [&](std::size_t i) { return (norm.terms[i].value() - mean) / sigma; };
  return ((at == norm.chosen ? 1.0 : 0.0) - (norm.centred ? 1 / D : 0) -
          normalized(at) * normalized(norm.chosen) / D) /
         sigma;
}

// A point that is computed of another one: whether row by row, and how.
struct Reader {
  int reader = 0, read = 0;
  bool byRows = true;
  Form form = Form::Sum;

  // Whether what comes through it can be said.
  bool isOpen(const TracePoint& point) const {
    if (isSquare(point))
      return form == Form::Sum || form == Form::Capped || form == Form::Softmax || form == Form::Share ||
             form == Form::Largest;
    return isKept(point) && form != Form::Share && form != Form::Quotient && form != Form::Spread;
  }
};

// The same, with what it said last: a number that stands on screen is asked for in every frame.
TensorSet::DerivationOf remembered(TensorSet::DerivationOf made) {
  struct Last {
    std::mutex mutex;
    std::optional<Index> at;
    std::optional<Derivation> derivation;
  };
  return [made = std::move(made), last = std::make_shared<Last>()](const Index& at) {
    const std::lock_guard lock(last->mutex);
    if (last->at != at) last->derivation = made(at), last->at = at;
    return last->derivation;
  };
}

// The gradients of one pass, as far as they are known.
class Backward {
 public:
  Backward(std::shared_ptr<const Trace> trace, const Interventions& interventions, TensorSet& set)
      : trace_(std::move(trace)), set_(set), byHand_(*trace_, interventions) {
    for (int i = 0; i < trace_->count(); ++i) findRead(i);
  }

  void add(int point, Tensor gradient) { add(point, std::move(gradient), madeOf(point)); }
  void add(int point, Tensor gradient, TensorSet::DerivationOf derivation) {
    const TracePoint& of = trace_->point(point);
    set_.add({gradientName(of.name), of.letters, "the gradient: how y changes with " + of.meaning, "∂y / ∂x",
              of.rows, of.keys},
             std::move(gradient), std::move(derivation));
  }

  // Of every square, from what is read behind it: dA = dz · vᵀ, and ds = A ⊙ (dA − Σ A dA), or of linear
  // attention ds = (dA − Σ A dA) / Σ s.
  void addSquares() {
    for (int i = trace_->count() - 1; i >= 0; --i) {
      if (!isSquare(trace_->point(i)) || !isOpen(i)) continue;
      const TensorView x = trace_->tensor(i);
      Tensor gradient({x.extent[0], x.extent[1], x.extent[2]});
      for (const Reader& each : readers_)
        if (each.read == i) addThrough(each, x, gradient);
      add(i, std::move(gradient));
    }
  }

 private:
  // A block's first stream is the last one of the block before: by the name that it has first.
  int firstNameOf(int point) const {
    const auto found = trace_->locate(&trace_->tensor(point).at({}));
    return found ? found->tensor : point;
  }
  int gradientAt(int point) const { return set_.find(gradientName(trace_->point(point).name)); }

  // What interventions leave of a change that act under later names of a point.
  float leftUnderLaterNames(int point, const Index& at) const {
    float left = 1;
    for (const auto& [other, interventions] : byHand_.byPoint())
      if (other > point && firstNameOf(other) == firstNameOf(point)) left *= byHand_.at(other, at);
    return left;
  }

  // Whether all that reads a point has a gradient, and something does.
  bool isOpen(int point) const {
    bool isRead = false;
    for (const Reader& each : readers_) {
      if (each.read != firstNameOf(point)) continue;
      if (!each.isOpen(trace_->point(each.reader)) || gradientAt(each.reader) < 0) return false;
      isRead = true;
    }
    return isRead;
  }

  // Looks at a point's last row, of every head or tap at the first number: which others it is made of. Of a
  // square at one that the mask leaves.
  void findRead(int reader) {
    const TracePoint& point = trace_->point(reader);
    if (firstNameOf(reader) != reader || point.name.ends_with("hook_scale") ||
        (!isSquare(point) && !point.letters.starts_with("T")))
      return;
    const TensorView x = trace_->tensor(reader);
    if (isSquare(point)) return findRead(reader, seenCell(x));
    Index at{x.extent[0] - 1};
    findRead(reader, at);
    while (x.rank == 3 && ++at[1] < x.extent[1]) findRead(reader, at);
  }
  // The last query's first key that is not hidden from it, or an earlier query's: of another token, if there
  // is one, which tells keys from queries.
  static Index seenCell(const TensorView& square) {
    for (const bool ofAnother : {true, false})
      for (int t = square.extent[1]; t-- > 0;)
        for (int s = 0; s < square.extent[2]; ++s)
          if (const float x = square(0, t, s); x != 0 && !std::isinf(x) && (s != t || !ofAnother))
            return {0, t, s};
    return {0, square.extent[1] - 1, 0};
  }
  void findRead(int reader, const Index& at) {
    const TracePoint& point = trace_->point(reader);
    const auto made = trace_->derive(point.name, at);
    if (!made) return;
    for (const Term& term : made->terms)
      for (const Cell cell : {term.factor, term.other})
        if (const auto found = cell ? trace_->locate(cell) : std::nullopt)
          note({reader, found->tensor, isSameRow(point, at, *found), made->form});
  }
  bool isSameRow(const TracePoint& point, const Index& at, const TensorSet::Located& found) const {
    const TracePoint& read = trace_->point(found.tensor);
    return read.rows == point.rows && found.index[rowDimension(read)] == at[rowDimension(point)];
  }
  void note(const Reader& reader) {
    const auto known = std::ranges::find_if(readers_, [&](const Reader& each) {
      return each.reader == reader.reader && each.read == reader.read;
    });
    if (known == readers_.end()) return readers_.push_back(reader);
    known->byRows = known->byRows && reader.byRows;
  }

  // Every number of a reader whose gradient is not 0, of one row or, at −1, of all: visit(gradient, what made
  // it, where it stands).
  template <typename Visit>
  void eachMade(const Reader& reader, int row, Visit visit) const {
    const TracePoint& point = trace_->point(reader.reader);
    const TensorView g = set_.tensor(gradientAt(reader.reader));
    g.forEach([&](const Index& at, float gradient) {
      if (gradient == 0 || (row >= 0 && at[rowDimension(point)] != row)) return;
      if (const auto made = trace_->derive(point.name, at)) visit(&g.at(at), *made, at);
    });
  }

  void addThrough(const Reader& reader, const TensorView& x, Tensor& gradient) const {
    if (reader.form == Form::Softmax) return softmaxed(reader, gradient);
    if (reader.form == Form::Share) return shared(reader, gradient);
    summed(reader, x, gradient);
  }
  void summed(const Reader& reader, const TensorView& x, Tensor& gradient) const {
    eachMade(reader, -1, [&](Cell g, const Derivation& made, const Index& place) {
      if (made.form != Form::Sum) return;
      const float arrives = *g * byHand_.at(reader.reader, place);
      for (const Term& term : made.terms)
        if (const auto at = x.indexOf(term.factor))
          gradient(at->at(0), at->at(1), at->at(2)) +=
              arrives * term.coefficient * (term.other ? *term.other : 1);
    });
  }
  // Of one query, ds_s = A_s (dA_s − Σ_j A_j dA_j).
  void softmaxed(const Reader& reader, Tensor& gradient) const {
    const TensorView dA = set_.tensor(gradientAt(reader.reader));
    for (int h = 0; h < dA.extent[0]; ++h)
      for (int t = 0; t < dA.extent[1]; ++t) {
        const std::vector<double> A = computedPattern(reader, h, t);
        const auto arriving = [&](int s) {
          return static_cast<double>(dA(h, t, s)) * static_cast<double>(byHand_.at(reader.reader, {h, t, s}));
        };
        double mean = 0;
        for (int s = 0; s < dA.extent[2]; ++s) mean += A[static_cast<std::size_t>(s)] * arriving(s);
        for (int s = 0; s < dA.extent[2]; ++s)
          gradient(h, t, s) += static_cast<float>(A[static_cast<std::size_t>(s)] * (arriving(s) - mean));
      }
  }
  // A query's pattern as it was before anything was put in by hand.
  std::vector<double> computedPattern(const Reader& reader, int head, int query) const {
    const TensorView A = trace_->tensor(reader.reader);
    std::vector<double> row;
    for (int s = 0; s < A.extent[2]; ++s) row.push_back(static_cast<double>(A(head, query, s)));
    if (!byHand_.actOn(reader.reader)) return row;
    const auto made = trace_->derive(trace_->point(reader.reader).name, {head, query, 0});
    if (!made || made->form != Form::Softmax) return row;
    for (std::size_t s = 0; s < row.size(); ++s) {
      Derivation one = *made;
      one.chosen = s;
      row[s] = s < one.terms.size() ? one.value() : 0;
    }
    return row;
  }

  // The scores that a query's pattern A = s / Σ s divides among its keys, and their sum; with them the
  // pattern as it was before anything was put in by hand.
  struct SharedScores {
    std::vector<int> keys;
    std::vector<double> scores;
    double sum = 0;

    double share(std::size_t i) const { return scores[i] / sum; }
  };
  SharedScores sharedScores(const Reader& reader, int head, int query) const {
    const TensorView scores = trace_->tensor(reader.read);
    SharedScores found;
    for (int key = 0; key < scores.extent[2] && found.keys.empty(); ++key) {
      const auto made = trace_->derive(trace_->point(reader.reader).name, {head, query, key});
      if (!made || made->form != Form::Share) continue;  // hidden by the mask
      for (const Term& term : made->terms)
        if (const auto at = scores.indexOf(term.factor))
          found.keys.push_back((*at)[2]), found.scores.push_back(term.value()), found.sum += term.value();
    }
    return found;
  }
  void shared(const Reader& reader, Tensor& gradient) const {
    const TensorView dA = set_.tensor(gradientAt(reader.reader));
    for (int h = 0; h < dA.extent[0]; ++h)
      for (int t = 0; t < dA.extent[1]; ++t) {
        const SharedScores divided = sharedScores(reader, h, t);
        const auto arriving = [&](int s) {
          return static_cast<double>(dA(h, t, s)) * static_cast<double>(byHand_.at(reader.reader, {h, t, s}));
        };
        double mean = 0;
        for (std::size_t i = 0; i < divided.keys.size(); ++i)
          mean += divided.share(i) * arriving(divided.keys[i]);
        for (const int s : divided.keys)
          gradient(h, t, s) += static_cast<float>((arriving(s) - mean) / divided.sum);
      }
  }
  // Σ_j dA_j (δ − A_j) / Σ s
  void addShared(const Reader& reader, const Index& at, std::vector<Term>& terms) const {
    const auto [h, t, s] = std::tuple{at[0], at[1], at[2]};
    const TensorView dA = set_.tensor(gradientAt(reader.reader));
    const SharedScores divided = sharedScores(reader, h, t);
    if (std::ranges::find(divided.keys, s) == divided.keys.end()) return;
    for (std::size_t i = 0; i < divided.keys.size(); ++i) {
      const int j = divided.keys[i];
      const auto slope = static_cast<float>(((j == s ? 1.0 : 0.0) - divided.share(i)) / divided.sum);
      terms.push_back({&dA(h, t, j), nullptr, slope * byHand_.at(reader.reader, {h, t, j})});
    }
  }

  // Σ_j dA_j A_j (δ − A_s)
  void addSoftmax(const Reader& reader, const Index& at, std::vector<Term>& terms) const {
    const auto [h, t, s] = std::tuple{at[0], at[1], at[2]};
    const TensorView A = trace_->tensor(reader.reader), dA = set_.tensor(gradientAt(reader.reader));
    const std::vector<double> computed = computedPattern(reader, h, t);
    const auto chosen = static_cast<float>(computed[static_cast<std::size_t>(s)]);
    for (int j = 0; j < A.extent[2]; ++j) {
      const double share = computed[static_cast<std::size_t>(j)];
      const float slope = (j == s ? 1.0f : 0.0f) - chosen;
      if (share == 0) continue;
      if (byHand_.actOn(reader.reader))  // what was computed there stands nowhere
        terms.push_back({&dA(h, t, j), nullptr,
                         static_cast<float>(share) * slope * byHand_.at(reader.reader, {h, t, j})});
      else
        terms.push_back({&dA(h, t, j), &A(h, t, j), slope});
    }
  }

  // What the number of a reader at `place` that `made` makes, of which the gradient is g, adds to the
  // gradient of x.
  void addShare(const Reader& reader, const Index& place, const Derivation& made, Cell g, Cell x,
                std::vector<Term>& terms) const {
    const auto addTimes = [&](const std::string& slope) {
      if (const int i = set_.find(slope); i >= 0) terms.push_back({g, &set_.tensor(i).at(place)});
    };
    const std::string& name = trace_->point(reader.reader).name;
    switch (made.form) {
      case Form::Sum:
        return addSlopes(made, x, g, 1, terms);
      case Form::Function:
        for (const Term& term : made.terms)
          if (term.factor == x) addTimes(slopeName(name));
        return;
      case Form::Capped: {
        const double bent = std::tanh(made.sum() / static_cast<double>(made.constant));
        return addSlopes(made, x, g, 1 - bent * bent, terms);
      }
      case Form::Gate:
        if (made.terms[0].factor == x) addTimes(slopeName(name));
        if (made.terms[1].factor == x) addTimes(openName(name));
        return;
      case Form::Normalized:
        for (std::size_t i = 0; i < made.terms.size(); ++i)
          if (made.terms[i].factor == x)
            terms.push_back({g, made.gamma, static_cast<float>(normSlope(made, i))});
        return;
      default:
        return;  // a mask writes over it, an argmax does not move
    }
  }

  TensorSet::DerivationOf madeOf(int point) const {
    return remembered([*this, point](const Index& at) -> std::optional<Derivation> {
      if (!isOpen(point)) return std::nullopt;
      const Cell x = &trace_->tensor(point).at(at);
      Derivation sum;
      for (const Reader& each : readers_) {
        if (each.read != firstNameOf(point)) continue;
        if (each.form == Form::Softmax)
          addSoftmax(each, at, sum.terms);
        else if (each.form == Form::Share)
          addShared(each, at, sum.terms);
        else
          eachMade(each, each.byRows ? at[rowDimension(trace_->point(point))] : -1,
                   [&](Cell g, const Derivation& made, const Index& place) {
                     const std::size_t before = sum.terms.size();
                     addShare(each, place, made, g, x, sum.terms);
                     scaleFrom(before, byHand_.at(each.reader, place), sum.terms);
                   });
      }
      scaleFrom(0, leftUnderLaterNames(point, at), sum.terms);
      return isRight(sum.value(), set_.tensor(gradientAt(point)).at(at)) ? std::optional(sum) : std::nullopt;
    });
  }
  static void scaleFrom(std::size_t first, float factor, std::vector<Term>& terms) {
    if (factor == 0) terms.resize(first);
    for (std::size_t i = first; i < terms.size(); ++i) terms[i].coefficient *= factor;
  }
  // Where something is on the way that has no name the terms miss it.
  static bool isRight(double sum, float gradient) {
    const auto exact = static_cast<double>(gradient);
    return std::abs(sum - exact) <= 2e-3 * (1e-2 + std::abs(exact));
  }

  std::shared_ptr<const Trace> trace_;
  TensorSet& set_;
  InterventionSlopes byHand_;
  std::vector<Reader> readers_;
};

std::vector<std::string> keptPoints(const Trace& trace) {
  std::vector<std::string> points;
  for (int i = 0; i < trace.count(); ++i)
    if (isKept(trace.point(i))) points.push_back(trace.point(i).name);
  return points;
}

// Of a loss, at the logits: (p − [v comes next]) / n.
TensorSet::DerivationOf lossMadeOf(const Trace& trace, const std::vector<int>& targets, TensorSet& set) {
  std::map<int, Distribution> asked;
  for (int t = 0; t < static_cast<int>(targets.size()); ++t)
    if (targets[static_cast<std::size_t>(t)] != Targets::none)
      asked.emplace(t, measureDistribution(trace, t, set));
  return [asked, targets, weight = 1 / static_cast<float>(asked.size())](const Index& at) {
    Derivation made;
    const auto row = asked.find(at[0]);
    if (row == asked.end()) return made;
    made.terms.push_back({&row->second.p(at[1]), nullptr, weight});
    if (at[1] == targets[static_cast<std::size_t>(at[0])]) made.terms.push_back({nullptr, nullptr, -weight});
    return made;
  };
}

}  // namespace

std::string gradientName(const std::string& point) { return "gradient." + point; }

namespace {

// With the set of its gradients, that more may be measured on them.
std::pair<ReplayedPass, std::shared_ptr<TensorSet>> runAgain(std::string name,
                                                             const std::shared_ptr<const Transformer>& model,
                                                             const Trace& read,
                                                             const Interventions& interventions,
                                                             const BackwardFrom& from) {
  ReplayedPass again = passAgain(std::move(name), model, read, interventions);
  const Trace& trace = *again.trace;
  const std::vector<std::string> points = keptPoints(trace);
  const auto pass = GradientPass::ran(*model, trace, interventions, points, from);
  auto set = std::make_shared<TensorSet>();
  measureSlopes(again.trace, *set);
  Backward backward(again.trace, interventions, *set);
  for (const std::string& point : points) {
    if (pass->rowGradient(point, 1).extent[0] == 0) continue;  // y is made of it nowhere
    const TensorView gradient = pass->gradient(point);
    Tensor values({gradient.extent.begin(), gradient.extent.begin() + gradient.rank}, gradient.copy());
    if (point == "logits")
      backward.add(trace.find(point), std::move(values),
                   from.targets.empty() ? slopesMadeOf(from.answer, trace, *set)
                                        : lossMadeOf(trace, from.targets, *set));
    else
      backward.add(trace.find(point), std::move(values));
  }
  backward.addSquares();
  again.measured = set;
  return {std::move(again), std::move(set)};
}

}  // namespace

ReplayedPass backwardAgain(std::string name, const std::shared_ptr<const Transformer>& model,
                           const Trace& read, const Interventions& interventions, const BackwardFrom& from) {
  return runAgain(std::move(name), model, read, interventions, from).first;
}

BackwardPass BackwardPass::of(const Transformer& model, const Trace& trace, Interventions interventions,
                              BackwardFrom from, std::string name) {
  return {std::move(name),
          {std::shared_ptr<const void>(), &model},
          Trace(trace.tokens(), trace.source()),
          std::move(interventions),
          std::move(from)};
}

OpenPasses BackwardPass::opened(Made made) const {
  return [*this, made = std::move(made)]() -> MultiPassDerivation {
    auto [pass, gradients] = runAgain(name, model, read, interventions, from);
    Derivation derivation = made(*pass.trace, *gradients);
    return {std::move(derivation), {std::move(pass)}};
  };
}

OpenPasses BackwardPass::number(const std::string& point, const Index& at) const {
  return opened([=](const Trace&, const TensorSet& gradients) {
    return Derivation{.terms = {{&gradients[gradientName(point)].at(at)}}};
  });
}

}  // namespace glassformer
