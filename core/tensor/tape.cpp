#include "core/tensor/tape.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/tensor/huge_pages.h"

namespace glassformer {
namespace {
constexpr int rowBlock =
    128;  // rows that go through a run of operations together, while they are in the cache
constexpr int queryBlock = 64;  // the same for attention: bounds how much of the masked half is computed
constexpr int fewRows = 8;      // per worker; below it workers share columns instead of rows

int roundUp(int n, int to) { return (n + to - 1) / to * to; }
}  // namespace

Tape::Tape(int sequences, int capacity, int sourceCapacity) {
  for (const auto& [stream, most] :
       {std::pair{Stream::Text, capacity}, std::pair{Stream::Source, sourceCapacity}}) {
    extents_[index(stream)] = {sequences, most, most, {}};
    tokens_[index(stream)].resize(static_cast<std::size_t>(sequences * most));
  }
}

float* Tape::allocate(std::size_t floats, float fill) {
  AlignedVector& memory = memory_.emplace_back();
  memory.reserve(floats);
  preferHugePages(memory.data(), floats * sizeof(float));
  memory.resize(floats, fill);  // also the first touch, which costs more than a pass
  return memory.data();
}

float* Tape::allocateUntouched(std::size_t floats) {
  return untouched_.emplace_back(untouchedZeros(floats)).get();
}

Value Tape::rows(int width, Stream stream) {
  const int stride = width == 1 ? 1 : roundUp(width, 16);
  const auto floats = static_cast<std::size_t>(extent(stream).rows()) * static_cast<std::size_t>(stride);
  const int id = static_cast<int>(sizes_.size());
  sizes_.push_back(floats);
  floatsPerPosition_[index(stream)] += static_cast<std::size_t>(stride);
  float* memory = kept_ == Retained::LaterRows ? allocateUntouched(floats) : allocate(floats, 0);
  const Value value{memory, width, stride, false, id, id, 0, stream, stream, false, false};
  roots_.push_back({value, floats, 0});
  return value;
}

// Scores are what starts as -inf.
bool Tape::isKept(const Value& square, float fill) const {
  return !square.triangular || kept_ < (std::isinf(fill) ? Retained::Patterns : Retained::Tables);
}

Value Tape::squares(int heads, float fill, bool triangular, Stream queries, Stream keys) {
  const int stride = roundUp(extent(keys).capacity, 16);
  const auto perPosition = static_cast<std::size_t>(heads * stride);
  const auto floats = static_cast<std::size_t>(extent(queries).rows()) * perPosition;
  const int id = static_cast<int>(sizes_.size());
  sizes_.push_back(floats);
  floatsPerPosition_[index(queries)] += perPosition;
  Value value{nullptr, heads, stride, true, id, id, 0, queries, keys, triangular, false};
  const bool keeps = isKept(value, fill);
  value.data = keeps ? allocate(floats, fill) : allocateUntouched(floats);
  roots_.push_back({value, floats, fill});
  if (!keeps) {
    Spared& square = *spared_.emplace_back(std::make_unique<Spared>());
    square.value = value, square.size = floats, square.fill = fill;
  }
  return value;
}

Tape::Spared* Tape::sparedAt(Cell cell) const {
  for (const auto& square : spared_)
    if (cell >= square->value.data && cell < square->value.data + square->size) return square.get();
  return nullptr;
}

bool Tape::isMade(Cell cell) const {
  const Spared* square = sparedAt(cell);
  return !square || square->isThere.load(std::memory_order_acquire);
}

void Tape::makeSure(Cell cell) const {
  if (isMade(cell)) return;
  Spared* square = sparedAt(cell);
  const std::lock_guard lock(making_);
  if (square->isThere) return;
  make(*square);
  square->isThere.store(true, std::memory_order_release);
}

void Tape::makeFor(Cell cell, const std::function<void()>& look) const {
  Spared* square = sparedAt(cell);
  if (!square || square->isThere.load(std::memory_order_acquire)) return look();
  const std::lock_guard lock(making_);
  const bool wasThere = square->isThere;
  if (!wasThere) make(*square);
  look();
  if (!wasThere) giveBack(*square);
}

// Whole, after what it is made of, which is there no longer than that.
void Tape::make(Spared& square) const {
  std::fill_n(square.value.data, square.size, square.fill);
  const int positions = extent(square.value).positions;
  for (const auto& operation : operations_) {
    if (!operation->makes(square.value.data)) continue;
    std::vector<Spared*> before;
    for (const Gradient* operand : operation->operands())
      if (Spared* each = sparedAt(operand->value.data); each && each != &square && !each->isThere)
        make(*before.emplace_back(each));
    for (int h = 0; h < square.value.width; ++h)
      for (int t = 0; t < positions; t += queryBlock)
        operation->forward({t, std::min(t + queryBlock, positions), 0, h});
    for (Spared* each : before) giveBack(*each);
  }
}

void Tape::keepSquares(bool keeps) {
  keepsSquares_ = keeps;
  if (keeps)
    for (const auto& square : spared_) makeSure(square->value.data);
}

void Tape::giveBack(Spared& square) const { giveBackPages(square.value.data, square.size * sizeof(float)); }

void Tape::giveBack(const Group& group) {
  if (keepsSquares_) return;
  for (const auto& square : spared_)
    if (square->maker >= group.begin && square->maker < group.end) {
      giveBack(*square);
      square->isThere = false;
    }
}

void Tape::forgetRows() {
  group();
  for (const Root& root : roots_)
    if (!root.isLater) giveBackPages(root.value.data, root.size * sizeof(float));
}

// An operation on rows needs no other row than that which it writes; all others may.
void Tape::findLaterRows() {
  for (Root& root : roots_) root.isLater = root.value.square || root.value.recurrent;
  const auto note = [&](const Value& value) {
    for (Root& root : roots_)
      if (root.value.root == value.root) root.isLater = true;
  };
  for (const auto& operation : operations_) {
    if (operation->domain() == Operation::Domain::Rows) continue;
    for (const Gradient* operand : operation->operands()) note(operand->value);
    if (const Gradient* result = operation->result();
        result && operation->domain() == Operation::Domain::Time)
      note(result->value);
  }
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

void Tape::setWholeRows(std::size_t from) {
  for (std::size_t i = 0; i < operations_.size(); ++i) operations_[i]->setWholeRows(i >= from);
}

void Tape::refillSquares(std::size_t from) {
  for (const Root& root : roots_)
    if (root.value.square && firstMakerOf(root.value) >= from)
      std::fill(root.value.data, root.value.data + root.size, root.fill);
}

double Tape::multiplyAdds(Operation::Domain domain) const {
  double sum = 0;
  for (const auto& operation : operations_)
    if (operation->domain() == domain) sum += operation->multiplyAdds();
  return sum;
}

Tape::Bytes Tape::bytesFor(int sequences, int capacity, int sourceCapacity) const {
  const auto capacityOf = [&](Stream stream) { return stream == Stream::Text ? capacity : sourceCapacity; };
  Bytes bytes;
  for (const Root& root : roots_) {
    const Value& value = root.value;
    const double rows = sizeof(float) * static_cast<double>(sequences) * capacityOf(value.stream);
    if (!value.square) {
      const double table = rows * static_cast<double>(value.stride);
      bytes.tables += table;
      if (root.isLater) bytes.laterRows += table;
      continue;
    }
    const double square = rows * value.width * roundUp(capacityOf(value.keys), 16);
    bytes.squares += square;
    if (value.triangular) (std::isinf(root.fill) ? bytes.scores : bytes.patterns) += square;
  }
  return bytes;
}

void Tape::copyRows(const Tape& other, std::array<int, 2> begin, std::array<int, 2> end) {
  assert(roots_.size() == other.roots_.size() && extent().sequences == 1 && other.extent().sequences == 1);
  group();
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const Value &to = roots_[i].value, &from = other.roots_[i].value;
    if (kept_ == Retained::LaterRows && !roots_[i].isLater) continue;
    if (Spared* square = sparedAt(to.data)) {
      if (!other.keepsSquares_) continue;  // made anew from the rows of its operands
      if (!square->isThere) std::fill_n(square->value.data, square->size, square->fill);
      square->isThere = true;
    }
    const std::size_t stream = index(to.stream);
    const std::ptrdiff_t floats = std::min(to.stride, from.stride);
    for (int head = 0; head < (to.square ? to.width : 1); ++head)
      for (int row = begin[stream]; row < end[stream]; ++row) {
        const auto at = [&](const Value& value, const Tape& tape) {
          return value.data +
                 (static_cast<std::ptrdiff_t>(head) * tape.extent(value).capacity + row) * value.stride;
        };
        std::copy_n(at(from, other), floats, at(to, *this));
      }
  }
}

void Tape::group() {
  if (!groups_.empty() && groups_.back().end == operations_.size()) return;
  groups_.clear();
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const auto domain = operations_[i]->domain();
    const Extent* extent = &operations_[i]->extent();
    if (groups_.empty() || groups_.back().domain != domain || groups_.back().extent != extent)
      groups_.push_back({domain, extent, i, i});
    groups_.back().end = i + 1;
  }
  for (Group& group : groups_)
    for (std::size_t i = group.begin; i < group.end; ++i)
      if (Gradient* result = operations_[i]->result(); result && result->value.square)
        group.heads = result->value.width;
  for (const auto& square : spared_) square->maker = firstMakerOf(square->value);
  findLaterRows();
}

// A group whose operations alternate at each position is run as a whole.
void Tape::chooseGroups(std::size_t firstOperation) {
  group();
  run_.clear();
  for (Group chosen : groups_) {
    if (chosen.end <= firstOperation) continue;
    if (chosen.domain != Operation::Domain::Time) chosen.begin = std::max(chosen.begin, firstOperation);
    run_.push_back(chosen);
  }
}

void Tape::runRows(const Group& group, int begin, int end) {
  for (int row = begin; row < end; row += rowBlock)
    for (std::size_t i = group.begin; i < group.end; ++i)
      operations_[i]->forward({row, std::min(row + rowBlock, end)});
}

void Tape::runHeads(const Group& group, int first, int worker, int workers) {
  const int positions = group.extent->positions;
  int item = 0;
  for (int b = 0; b < group.extent->sequences; ++b)
    for (int h = 0; h < group.heads; ++h)
      for (int t = first; t < positions; t += queryBlock, ++item) {
        if (item % workers != worker) continue;
        for (std::size_t i = group.begin; i < group.end; ++i)
          operations_[i]->forward({t, std::min(t + queryBlock, positions), b, h});
      }
}

void Tape::runTime(const Group& group, int first) {
  for (int t = first; t < group.extent->positions; ++t)
    for (std::size_t i = group.begin; i < group.end; ++i) operations_[i]->forward({t, t + 1});
}

void Tape::runAlone(const Group& group, int first, int rowEnd) {
  switch (group.domain) {
    case Operation::Domain::Rows:
      return runRows(group, first, rowEnd);
    case Operation::Domain::Heads:
      runHeads(group, first, 0, 1);
      return giveBack(group);
    case Operation::Domain::Time:
      return runTime(group, first);
  }
}

// Enough rows: every worker takes its own through the whole pass and waits only where rows need
// one another.
void Tape::runTogether(Team& team, int worker, const First& firsts) {
  const int workers = team.workers();
  for (const Group& group : run_) {
    const int first = firstOf(group, firsts), rows = group.extent->positions - first;
    if (group.domain == Operation::Domain::Rows) {
      runRows(group, first + rows * worker / workers, first + rows * (worker + 1) / workers);
    } else {
      team.barrier();
      if (group.domain == Operation::Domain::Heads)
        runHeads(group, first, worker, workers);
      else if (worker == 0)
        runTime(group, first);
      team.barrier();
      if (worker == 0) giveBack(group);
    }
  }
}

// Few rows, as in decoding: the workers share the columns of the weights, which is where the time goes.
void Tape::runFewRows(Team& team, int worker, const First& firsts) {
  for (const Group& group : run_) {
    const int first = firstOf(group, firsts), positions = group.extent->positions;
    if (first >= positions) continue;
    if (group.domain != Operation::Domain::Rows) {
      if (group.domain == Operation::Domain::Heads)
        runHeads(group, first, worker, team.workers());
      else if (worker == 0)
        runTime(group, first);
      team.barrier();
      if (worker == 0) giveBack(group);
      continue;
    }
    for (std::size_t i = group.begin; i < group.end; ++i) {
      Operation& operation = *operations_[i];
      if (operation.splitsColumns()) {
        if (i > group.begin) team.barrier();
        operation.forward({first, positions, 0, 0, worker, team.workers()});
        team.barrier();
      } else if (worker == 0) {
        operation.forward({first, positions});
      }
    }
    team.barrier();
  }
}

void Tape::forward(Team& team, const TapeStart& start) {
  assert(extent().sequences == 1);
  chooseGroups(start.operation);
  const First& first = start.position;
  int rows = 0;
  std::size_t floats = 0;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const int own = std::max(0, extents_[i].positions - first[i]);
    rows = std::max(rows, own);
    floats += floatsPerPosition_[i] * static_cast<std::size_t>(own);
  }
  if (rows == 0) return;
  const bool small = floats < 40000;
  if (small || team.workers() == 1) {
    for (const Group& g : run_) runAlone(g, firstOf(g, first), g.extent->positions);
  } else if (rows < fewRows * team.workers()) {
    team.run([&](int worker) { runFewRows(team, worker, first); });
  } else {
    team.run([&](int worker) { runTogether(team, worker, first); });
  }
}

void Tape::forward() {
  group();
  for (const Group& g : groups_) {
    assert(g.extent->positions == g.extent->capacity);
    runAlone(g, 0, g.extent->rows());
  }
}

std::size_t Tape::firstMakerOf(const Value& value) const {
  const auto maker =
      std::ranges::find_if(operations_, [&](const auto& operation) { return operation->makes(value.data); });
  return static_cast<std::size_t>(maker - operations_.begin());
}

// The last of the operations before `end` that writes the number; `end` becomes its place.
const Operation* Tape::lastMaker(Cell cell, std::size_t& end) const {
  while (end-- > 0)
    if (operations_[end]->makes(cell)) return operations_[end].get();
  return nullptr;
}

std::optional<Derivation> Tape::deriveBefore(Cell cell, std::size_t end) const {
  const Operation* operation = lastMaker(cell, end);
  if (!operation) return std::nullopt;
  return operation->derive(cell, [&] { return deriveBefore(cell, end).value_or(Derivation{}); });
}

std::string Tape::equationBefore(Cell cell, std::size_t end,
                                 const std::function<std::optional<std::string>(Cell)>& name) const {
  const Operation* operation = lastMaker(cell, end);
  if (!operation) return "";
  const auto nameOf = [&](Cell operand) {
    const auto named = name(operand);
    return named ? *named : equation(operand, name);
  };
  return operation->equation(cell, {nameOf, [&] { return equationBefore(cell, end, name); }});
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
    if (result && !result->data) continue;
    for (Gradient* operand : operations_[i]->operands()) {
      const auto root = static_cast<std::size_t>(operand->value.root),
                 id = static_cast<std::size_t>(operand->value.id);
      if (!buffer[root]) buffer[root] = take(sizes_[root]);
      operand->data = buffer[root] + operand->value.column;
      operand->accumulate = written[id];
      written[id] = true;
    }
    // Nobody below looks at this gradient again, unless it goes round.
    if (result && result->data && !result->value.recurrent)
      spare.emplace(sizes_[static_cast<std::size_t>(result->value.id)], result->data);
  }
}

void Tape::backward() {
  for (std::size_t g = groups_.size(); g-- > 0;) {
    const auto [domain, extent, begin, end, heads] = groups_[g];
    const bool inTime = domain == Operation::Domain::Time;
    for (int t = inTime ? extent->positions : 1; t-- > 0;)
      for (std::size_t i = end; i-- > begin;) {
        const Gradient* result = operations_[i]->result();
        if (result && !result->data) continue;
        inTime ? operations_[i]->backwardAt(t) : operations_[i]->backward();
      }
  }
}

}  // namespace glassformer
