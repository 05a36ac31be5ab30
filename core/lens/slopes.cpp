#include "core/lens/slopes.h"

#include <optional>
#include <vector>

#include "core/tensor/operations/nonlinearity.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// What a point's numbers are taken of: those of other points at the same place, a gate's x and u, else what x
// is the sum of.
struct TakenOf {
  std::vector<TensorView> operands;

  // Told from what made the first number.
  static std::optional<TakenOf> of(const Trace& trace, const Derivation& made) {
    TakenOf taken;
    for (const Term& term : made.terms) {
      const auto found = term.other || term.coefficient != 1 ? std::nullopt : trace.locate(term.factor);
      if (!found || found->index != Index{}) return std::nullopt;
      taken.operands.push_back(trace.tensor(found->tensor));
    }
    return taken;
  }
  double at(std::size_t operand, const Index& index) const { return operands[operand].at(index); }
  double sumAt(const Index& index) const {
    double sum = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) sum += at(i, index);
    return sum;
  }
};

// The slopes of one point, where it is f(x) or f(x) · u.
class SlopesOfPoint {
 public:
  SlopesOfPoint(std::shared_ptr<const Trace> trace, int point, TensorSet& set)
      : trace_(std::move(trace)), set_(set), point_(trace_->point(point)), value_(trace_->tensor(point)) {}

  void measure() {
    const auto first = trace_->derive(point_.name, {});
    if (!first || (first->form != Form::Function && first->form != Form::Gate)) return;
    const auto f = functionCalled(first->functionName);
    const auto taken = TakenOf::of(*trace_, *first);
    if (!f || !taken) return;
    const bool isGate = first->form == Form::Gate;
    add(
        {slopeName(point_.name), "the slope of " + point_.meaning,
         f->slopeName + std::string(isGate ? "(x) · u" : "(x)")},
        [&](const Index& at) {
          return isGate ? f->slope(taken->at(0, at)) * taken->at(1, at) : f->slope(taken->sumAt(at));
        },
        [f](Derivation& made) { made.function = f->slope, made.functionName = f->slopeName; });
    if (!isGate) return;
    add(
        {openName(point_.name), "value of the gate", f->name + std::string("(x)")},
        [&](const Index& at) { return f->function(taken->at(0, at)); },
        [](Derivation& made) { made.form = Form::Function, made.terms.pop_back(); });
  }

 private:
  struct Words {
    std::string name, meaning, equation;
  };
  // `change`: makes of what made the point's number what made this one.
  template <typename ValueAt, typename Change>
  void add(Words words, ValueAt valueAt, Change change) {
    std::vector<float> values;
    value_.forEach([&](const Index& at, float) { values.push_back(static_cast<float>(valueAt(at))); });
    const std::span extents(value_.extent.data(), static_cast<std::size_t>(value_.rank));
    set_.add({std::move(words.name), point_.letters, std::move(words.meaning), std::move(words.equation),
              point_.rows, point_.keys},
             Tensor(extents, std::move(values)),
             [trace = trace_, point = point_.name, change](const Index& at) {
               auto made = trace->derive(point, at);
               if (made) change(*made);
               return made;
             });
  }

  std::shared_ptr<const Trace> trace_;
  TensorSet& set_;
  const TracePoint& point_;
  TensorView value_;
};

}  // namespace

std::string slopeName(const std::string& point) { return "slope." + point; }
std::string openName(const std::string& point) { return "open." + point; }

void measureSlopes(const std::shared_ptr<const Trace>& trace, TensorSet& set) {
  for (int i = 0; i < trace->count(); ++i)
    if (trace->point(i).letters.starts_with("T")) SlopesOfPoint(trace, i, set).measure();
}

}  // namespace glassformer
