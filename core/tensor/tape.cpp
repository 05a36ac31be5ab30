#include "core/tensor/tape.h"

#include <algorithm>
#include <map>

namespace glassformer {
namespace {
constexpr int rowBlock =
    128;  // rows that go through a run of operations together, while they are in the cache
constexpr int queryBlock = 64;  // the same for attention: bounds how much of the masked half is computed
constexpr int fewRows = 8;      // per worker; below it workers share columns instead of rows

int roundUp(int n, int to) { return (n + to - 1) / to * to; }
}  // namespace

Tape::Tape(int sequences, int capacity) : tokens_(static_cast<std::size_t>(sequences * capacity)) {
  extent_ = {sequences, capacity, capacity};
}

float* Tape::allocate(std::size_t floats, float fill) {
  return memory_.emplace_back(floats, fill).data();  // also the first touch, which costs more than a pass
}

Value Tape::rows(int width) {
  const int stride = width == 1 ? 1 : roundUp(width, 16);
  const auto floats = static_cast<std::size_t>(extent_.rows()) * static_cast<std::size_t>(stride);
  const int id = static_cast<int>(sizes_.size());
  sizes_.push_back(floats);
  return {allocate(floats, 0), width, stride, false, id, id, 0};
}

Value Tape::squares(int heads, float fill) {
  const int stride = roundUp(extent_.capacity, 16);
  const auto floats = static_cast<std::size_t>(extent_.rows()) * static_cast<std::size_t>(heads * stride);
  const int id = static_cast<int>(sizes_.size());
  sizes_.push_back(floats);
  squares_.push_back({allocate(floats, fill), floats, fill});
  return {squares_.back().data, heads, stride, true, id, id, 0};
}

Value Tape::columns(const Value& table, int begin, int width) {
  Value part = table;
  part.data += begin;
  part.width = width;
  part.column += begin;
  part.id = static_cast<int>(sizes_.size());
  sizes_.push_back(0);
  return part;
}

void Tape::refillSquares() {
  for (const Square& s : squares_) std::fill(s.data, s.data + s.size, s.fill);
}

void Tape::group() {
  if (!groups_.empty() && groups_.back().end == operations_.size()) return;
  groups_.clear();
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const auto domain = operations_[i]->domain();
    if (groups_.empty() || groups_.back().domain != domain) groups_.push_back({domain, i, i});
    groups_.back().end = i + 1;
  }
  heads_.assign(groups_.size(), 0);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t i = groups_[g].begin; i < groups_[g].end; ++i)
      if (Gradient* result = operations_[i]->result(); result && result->value.square)
        heads_[g] = result->value.width;
}

void Tape::runRows(const Group& group, int begin, int end) {
  for (int row = begin; row < end; row += rowBlock)
    for (std::size_t i = group.begin; i < group.end; ++i)
      operations_[i]->forward({row, std::min(row + rowBlock, end)});
}

void Tape::runHeads(const Group& group, int first, int worker, int workers) {
  const int heads = heads_[static_cast<std::size_t>(&group - groups_.data())];
  int item = 0;
  for (int b = 0; b < extent_.sequences; ++b)
    for (int h = 0; h < heads; ++h)
      for (int t = first; t < extent_.positions; t += queryBlock, ++item) {
        if (item % workers != worker) continue;
        for (std::size_t i = group.begin; i < group.end; ++i)
          operations_[i]->forward({t, std::min(t + queryBlock, extent_.positions), b, h});
      }
}

// Enough rows: every worker takes its own through the whole pass and waits only around attention.
void Tape::runTogether(Team& team, int worker, int first) {
  const int workers = team.workers(), rows = extent_.positions - first;
  for (const Group& group : groups_) {
    if (group.domain == Operation::Domain::Rows) {
      runRows(group, first + rows * worker / workers, first + rows * (worker + 1) / workers);
    } else {
      team.barrier();
      runHeads(group, first, worker, workers);
      team.barrier();
    }
  }
}

// Few rows, as in decoding: the workers share the columns of the weights, which is where the time goes.
void Tape::runFewRows(Team& team, int worker, int first) {
  for (const Group& group : groups_) {
    if (group.domain == Operation::Domain::Heads) {
      runHeads(group, first, worker, team.workers());
      team.barrier();
      continue;
    }
    for (std::size_t i = group.begin; i < group.end; ++i) {
      Operation& operation = *operations_[i];
      if (operation.splitsColumns()) {
        if (i > group.begin) team.barrier();
        operation.forward({first, extent_.positions, 0, 0, worker, team.workers()});
        team.barrier();
      } else if (worker == 0) {
        operation.forward({first, extent_.positions});
      }
    }
    team.barrier();
  }
}

void Tape::forward(Team& team, int first) {
  assert(extent_.sequences == 1);
  group();
  const int rows = extent_.positions - first;
  if (rows <= 0) return;
  std::size_t floats = 0;
  for (std::size_t size : sizes_) floats += size;
  const bool small =
      floats / static_cast<std::size_t>(extent_.capacity) * static_cast<std::size_t>(rows) < 40000;
  if (small || team.workers() == 1) {
    for (const Group& g : groups_)
      g.domain == Operation::Domain::Rows ? runRows(g, first, extent_.positions) : runHeads(g, first, 0, 1);
  } else if (rows < fewRows * team.workers()) {
    team.run([&](int worker) { runFewRows(team, worker, first); });
  } else {
    team.run([&](int worker) { runTogether(team, worker, first); });
  }
}

void Tape::forward() {
  group();
  assert(extent_.positions == extent_.capacity);
  for (const Group& g : groups_)
    g.domain == Operation::Domain::Rows ? runRows(g, 0, extent_.rows()) : runHeads(g, 0, 0, 1);
}

void Tape::planBackward() {
  std::vector<float*> buffer(sizes_.size(), nullptr);  // of roots
  std::vector<bool> written(sizes_.size(), false);
  std::multimap<std::size_t, float*> spare;
  const auto take = [&](std::size_t floats) {
    if (const auto found = spare.find(floats); found != spare.end()) {
      float* data = found->second;
      spare.erase(found);
      return data;
    }
    return allocate(floats, 0);
  };
  for (std::size_t i = operations_.size(); i-- > 0;) {
    Gradient* result = operations_[i]->result();
    if (result) result->data = buffer[static_cast<std::size_t>(result->value.id)];
    for (Gradient* operand : operations_[i]->operands()) {
      const auto root = static_cast<std::size_t>(operand->value.root),
                 id = static_cast<std::size_t>(operand->value.id);
      if (!buffer[root]) buffer[root] = take(sizes_[root]);
      operand->data = buffer[root] + operand->value.column;
      operand->accumulate = written[id];
      written[id] = true;
    }
    // Nobody below looks at this gradient again.
    if (result && result->data)
      spare.emplace(sizes_[static_cast<std::size_t>(result->value.id)], result->data);
  }
}

void Tape::backward() {
  for (std::size_t i = operations_.size(); i-- > 0;) operations_[i]->backward();
}

}  // namespace glassformer
