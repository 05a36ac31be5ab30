// A tape in reverse: where the gradients of its values lie, and the chain rule from operation to operation.
#include <algorithm>
#include <map>

#include "core/tensor/tape.h"

namespace glassformer {
namespace {

bool isAmong(const std::vector<Weight*>& weights, const float* gradient) {
  return std::ranges::any_of(weights, [&](const Weight* weight) { return weight->gradient == gradient; });
}

}  // namespace

/// Where each gradient lies in a run backward.
struct Tape::GradientPlan {
  static constexpr int nobodyAsks = -1;
  struct Place {
    Gradient* gradient;
    int buffer;
    bool accumulate, ofOneHead;
  };
  std::vector<Place> places;
  std::vector<double> buffers;   // floats of each
  std::vector<Weight*> started;  // by operations, each the first that runs backward on that weight
};

// By root: squares whose gradients only one run of operations that go head by head writes and reads.
std::vector<bool> Tape::squaresOfOneHead() const {
  constexpr int nobody = -1, several = -2;
  std::vector<int> askedBy(sizes_.size(), nobody);
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    const Group& group = groups_[static_cast<std::size_t>(g)];
    for (std::size_t i = group.begin; i < group.end; ++i) {
      std::vector<Gradient*> gradients = operations_[i]->operands();
      if (Gradient* result = operations_[i]->result()) gradients.push_back(result);
      for (const Gradient* gradient : gradients) {
        if (!gradient->value.square) continue;
        int& who = askedBy[static_cast<std::size_t>(gradient->value.root)];
        who = operations_[i]->takesOneHead() && (who == nobody || who == g) ? g : several;
      }
    }
  }
  std::vector<bool> areOfOneHead;
  for (const int who : askedBy) areOfOneHead.push_back(who >= 0);
  return areOfOneHead;
}

// Those that do not live at the same time share memory.
Tape::GradientPlan Tape::planGradients(const Room& room) {
  group();
  GradientPlan plan;
  const std::vector<bool> areOfOneHead = squaresOfOneHead();
  std::vector<int> bufferOf(sizes_.size(), GradientPlan::nobodyAsks);  // by root
  std::vector<bool> written(sizes_.size(), false);
  const auto floats = [&](const Value& value) {
    const double heads =
        areOfOneHead[static_cast<std::size_t>(value.root)] ? value.width * room.sequences : 1;
    return floatsOf(value, room) / heads;
  };
  // Of operations that run head by head, gradients of other heads are still to come where one head's is done:
  // until all are, a table stays, and a square is none but a square's, where each head has the same place.
  std::multimap<double, int> spare, tables, squares;
  const auto isOfHeads = [&](std::size_t i) { return operations_[i]->domain() == Operation::Domain::Heads; };
  const auto take = [&](const Value& value) {
    for (auto* from : {&squares, &spare})
      if (const auto found = from->find(floats(value));
          found != from->end() && (value.square || from == &spare)) {
        const int buffer = found->second;
        from->erase(found);
        return buffer;
      }
    plan.buffers.push_back(floats(value));
    return static_cast<int>(plan.buffers.size()) - 1;
  };
  for (std::size_t i = operations_.size(); i-- > 0;) {
    Gradient* result = operations_[i]->result();
    if (result) {
      const int buffer = bufferOf[static_cast<std::size_t>(result->value.id)];
      plan.places.push_back(
          {result, buffer, false, areOfOneHead[static_cast<std::size_t>(result->value.root)]});
      if (buffer == GradientPlan::nobodyAsks) continue;
    }
    if (Weight* weight = operations_[i]->weightOfAll();
        weight && weight->gradient && !isAmong(plan.started, weight->gradient))
      plan.started.push_back(weight);
    for (Gradient* operand : operations_[i]->operands()) {
      const auto root = static_cast<std::size_t>(operand->value.root),
                 id = static_cast<std::size_t>(operand->value.id);
      if (bufferOf[root] == GradientPlan::nobodyAsks) bufferOf[root] = take(operand->value);
      plan.places.push_back({operand, bufferOf[root], written[id], areOfOneHead[root]});
      written[id] = true;
    }
    // Nobody below looks at this gradient again, unless it goes round.
    if (result && !result->value.recurrent)
      (!isOfHeads(i)          ? spare
       : result->value.square ? squares
                              : tables)
          .emplace(floats(result->value), bufferOf[static_cast<std::size_t>(result->value.id)]);
    if (i == 0 || !isOfHeads(i - 1)) spare.merge(tables), spare.merge(squares);
  }
  return plan;
}

double Tape::gradientBytesFor(int sequences, int capacity, int sourceCapacity) {
  double floats = 0;
  for (const double buffer : planGradients({sequences, {capacity, sourceCapacity}}).buffers) floats += buffer;
  return sizeof(float) * floats;
}

void Tape::planBackward() {
  const auto [places, buffers, started] =
      planGradients({extent().sequences, {extent().capacity, extent(Stream::Source).capacity}});
  std::vector<float*> memory;
  for (const double floats : buffers) memory.push_back(allocate(static_cast<std::size_t>(floats), 0));
  for (const auto& [gradient, buffer, accumulate, ofOneHead] : places) {
    const bool isAskedFor = buffer != GradientPlan::nobodyAsks;
    gradient->data = isAskedFor ? memory[static_cast<std::size_t>(buffer)] + gradient->value.column : nullptr;
    gradient->accumulate = accumulate, gradient->ofOneHead = ofOneHead;
  }
  started_ = started;
}

bool Tape::startsGradient(const float* gradient) const { return isAmong(started_, gradient); }

// Head by head: the squares of one stay in the cache from operation to operation.
void Tape::backward(const Group& group) {
  const auto each = [&](auto visit) {
    for (std::size_t i = group.end; i-- > group.begin;)
      if (const Gradient* result = operations_[i]->result(); !result || result->data) visit(*operations_[i]);
  };
  switch (group.domain) {
    case Operation::Domain::Rows:
      return each([](Operation& operation) { operation.backward(); });
    case Operation::Domain::Heads:
      for (int b = 0; b < group.extent->sequences; ++b)
        for (int h = 0; h < group.heads; ++h) each([&](Operation& operation) { operation.backwardOf(b, h); });
      return;
    case Operation::Domain::Time:
      for (int t = group.extent->positions; t-- > 0;)
        each([&](Operation& operation) { operation.backwardAt(t); });
  }
}

void Tape::backward(bool adds) {
  for (Weight* weight : started_) weight->startsGradient = !adds;
  for (std::size_t g = groups_.size(); g-- > 0;) {
    const std::vector<Dropped*> made = makeSquaresOf(groups_[g].begin, groups_[g].end);
    backward(groups_[g]);
    drop(made);
  }
}

}  // namespace glassformer
