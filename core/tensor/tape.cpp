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
constexpr std::size_t fewFloats = 40000;  // that are computed; below it a team costs more than it gains

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

Value Tape::rows(int width, Stream stream) { return table(width, stream, false); }

Value Tape::cheapRows(int width, Stream stream) { return table(width, stream, true); }

Value Tape::table(int width, Stream stream, bool isCheap) {
  const int stride = width == 1 ? 1 : roundUp(width, 16);
  const auto floats = static_cast<std::size_t>(extent(stream).rows()) * static_cast<std::size_t>(stride);
  const int id = static_cast<int>(sizes_.size());
  sizes_.push_back(floats);
  floatsPerPosition_[index(stream)] += static_cast<std::size_t>(stride);
  const bool isSpared = isCheap && kept_ != Retained::Everything;
  float* memory = isSpared || kept_ == Retained::LaterRows ? allocateUntouched(floats) : allocate(floats, 0);
  const Value value{memory, width, stride, false, id, id, 0, stream, stream, false, false};
  roots_.push_back({value, floats, 0, isCheap});
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
  for (const auto& spared : spared_)
    if (cell >= spared->value.data && cell < spared->value.data + spared->size) return spared.get();
  return nullptr;
}

bool Tape::isMade(Cell cell) const {
  const Spared* spared = sparedAt(cell);
  return !spared || spared->isThere.load(std::memory_order_acquire);
}

void Tape::makeSure(Cell cell) const {
  if (isMade(cell)) return;
  Spared* spared = sparedAt(cell);
  const std::lock_guard lock(making_);
  if (spared->isThere) return;
  make(*spared);
  spared->isThere.store(true, std::memory_order_release);
}

void Tape::makeFor(Cell cell, const std::function<void()>& look) const {
  Spared* spared = sparedAt(cell);
  if (!spared || spared->isThere.load(std::memory_order_acquire)) return look();
  const std::lock_guard lock(making_);
  const bool wasThere = spared->isThere;
  if (!wasThere) make(*spared);
  look();
  if (!wasThere) giveBack(*spared);
}

// Whole, after what it is made of, which is there no longer than that.
void Tape::make(Spared& spared) const {
  if (spared.value.square) std::fill_n(spared.value.data, spared.size, spared.fill);
  for (const auto& operation : operations_) {
    if (!isWrittenBy(spared.value, *operation)) continue;
    std::vector<Spared*> before;
    for (const Gradient* operand : operation->operands())
      if (Spared* each = sparedAt(operand->value.data); each && each != &spared && !each->isThere)
        make(*before.emplace_back(each));
    makeRows(spared, *operation);
    for (Spared* each : before) giveBack(*each);
  }
}

void Tape::makeRows(const Spared& spared, Operation& operation) const {
  const int positions = extent(spared.value).positions, block = spared.value.square ? queryBlock : rowBlock;
  for (int h = 0; h < (spared.value.square ? spared.value.width : 1); ++h)
    for (int t = 0; t < positions; t += block)
      operation.forwardAgain({t, std::min(t + block, positions), 0, h});
}

void Tape::giveBack(Spared& spared) const {
  giveBackPages(spared.value.data, spared.size * sizeof(float));
  spared.isThere = false;
}

void Tape::giveBackMade() {
  for (const auto& spared : spared_)
    if (spared->isThere) giveBack(*spared);
}

double Tape::madeBytes() const {
  double bytes = 0;
  for (const auto& spared : spared_)
    if (spared->isThere) bytes += sizeof(float) * static_cast<double>(spared->size);
  return bytes;
}

// What the run that is about to start makes anew.
void Tape::giveBackOutdated() {
  for (const Group& group : run_)
    for (const auto& spared : spared_)
      if (spared->isThere && spared->maker >= group.begin && spared->maker < group.end) giveBack(*spared);
}

void Tape::giveBackSquares(const Group& group) {
  for (const auto& spared : spared_)
    if (spared->value.square && spared->maker >= group.begin && spared->maker < group.end) giveBack(*spared);
}

// Only pages that nobody else is writing on.
void Tape::giveBackRows(const Group& group, int begin, int end) {
  for (const auto& spared : spared_)
    if (const Value& table = spared->value;
        !table.square && spared->maker >= group.begin && spared->maker < group.end)
      giveBackPages(table.data + begin * table.stride,
                    static_cast<std::size_t>((end - begin) * table.stride) * sizeof(float));
}

// Above the diagonal, what whole rows are made of is what stands there in squares that are kept.
void Tape::fillRows(const Group& group, int head, int begin, int end) {
  for (const auto& spared : spared_)
    if (const Value& square = spared->value;
        square.square && spared->maker >= group.begin && spared->maker < group.end)
      std::fill_n(
          square.data + (static_cast<std::ptrdiff_t>(head) * group.extent->capacity + begin) * square.stride,
          (end - begin) * square.stride, spared->fill);
}

// What operations from the first one on read, of what is not kept and made before. There is some only in the
// group that a run starts in the middle of.
std::vector<Tape::Spared*> Tape::makeReadFrom(std::size_t first) {
  std::vector<Spared*> made;
  for (const auto& spared : spared_) {
    if (spared->maker >= first || spared->isThere) continue;
    const bool isRead =
        std::any_of(operations_.begin() + static_cast<std::ptrdiff_t>(first), operations_.end(),
                    [&](const auto& each) { return isReadBy(spared->value, *each); });
    if (!isRead) continue;
    make(*made.emplace_back(spared.get()));
    spared->isThere = true;
  }
  return made;
}

void Tape::forgetRows() {
  group();
  for (const Root& root : roots_)
    if (!root.isLater) giveBackPages(root.value.data, root.size * sizeof(float));
}

bool Tape::isWrittenBy(const Value& value, Operation& operation) const {
  const Value* changed = operation.changed();
  const Gradient* result = operation.result();
  return operation.makes(value.data) || (changed && changed->root == value.root) ||
         (result && result->value.root == value.root);
}

bool Tape::isReadBy(const Value& value, Operation& operation) const {
  return std::ranges::any_of(operation.operands(),
                             [&](const Gradient* operand) { return operand->value.root == value.root; });
}

// Whether only operations of one group, on rows, make, change and read the table, and nobody changes
// afterwards what it was made of.
bool Tape::staysInGroup(const Value& table) const {
  const std::size_t maker = firstMakerOf(table);
  const auto home = std::ranges::find_if(groups_, [&](const Group& group) { return maker < group.end; });
  if (home == groups_.end() || home->domain != Operation::Domain::Rows) return false;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const bool isAtHome = i >= home->begin && i < home->end;
    if (!isAtHome && (isWrittenBy(table, *operations_[i]) || isReadBy(table, *operations_[i]))) return false;
    if (i <= maker) continue;
    for (const Gradient* operand : operations_[maker]->operands())
      if (isWrittenBy(operand->value, *operations_[i])) return false;
  }
  return true;
}

void Tape::findCheapRows() {
  for (Root& root : roots_) {
    root.isCheap = root.isCheap && staysInGroup(root.value);
    if (!root.isCheap || (kept_ != Retained::Patterns && kept_ != Retained::Tables)) continue;
    Spared& table = *spared_.emplace_back(std::make_unique<Spared>());
    table.value = root.value, table.size = root.size, table.fill = root.fill;
  }
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
  wholeFrom_ = from;
  for (std::size_t i = 0; i < operations_.size(); ++i) operations_[i]->setWholeRows(i >= from);
}

void Tape::refillSquares(std::size_t from) {
  for (const Root& root : roots_)
    if (root.value.square && !sparedAt(root.value.data) && firstMakerOf(root.value) >= from)
      std::fill(root.value.data, root.value.data + root.size, root.fill);
}

double Tape::multiplyAdds(Operation::Domain domain) const {
  double sum = 0;
  for (const auto& operation : operations_)
    if (operation->domain() == domain) sum += operation->multiplyAdds();
  return sum;
}

Tape::Bytes Tape::bytesFor(int sequences, int capacity, int sourceCapacity) {
  group();
  const auto capacityOf = [&](Stream stream) { return stream == Stream::Text ? capacity : sourceCapacity; };
  Bytes bytes;
  for (const Root& root : roots_) {
    const Value& value = root.value;
    const double rows = sizeof(float) * static_cast<double>(sequences) * capacityOf(value.stream);
    if (!value.square) {
      const double table = rows * static_cast<double>(value.stride);
      bytes.tables += table;
      if (root.isCheap) bytes.cheap += table;
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
  giveBackMade();
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const Value &to = roots_[i].value, &from = other.roots_[i].value;
    if (kept_ == Retained::LaterRows && !roots_[i].isLater) continue;
    if (sparedAt(to.data)) continue;  // made anew from the rows of its operands
    other.makeFor(from.data,
                  [&] { copyRows(to, from, other, begin[index(to.stream)], end[index(to.stream)]); });
  }
}

void Tape::copyRows(const Value& to, const Value& from, const Tape& other, int begin, int end) {
  const auto at = [](const Value& value, const Tape& tape, int head, int row) {
    return value.data +
           (static_cast<std::ptrdiff_t>(head) * tape.extent(value).capacity + row) * value.stride;
  };
  for (int head = 0; head < (to.square ? to.width : 1); ++head)
    for (int row = begin; row < end; ++row)
      std::copy_n(at(from, other, head, row), std::min(to.stride, from.stride), at(to, *this, head, row));
}

void Tape::group() {
  if (!groups_.empty() && groups_.back().end == operations_.size()) return;
  groups_.clear();
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const auto domain = operations_[i]->domain();
    const Extent* extent = &operations_[i]->extent();
    const bool isPause = std::ranges::binary_search(pauses_, i);
    if (groups_.empty() || isPause || groups_.back().domain != domain || groups_.back().extent != extent)
      groups_.push_back({domain, extent, i, i});
    groups_.back().end = i + 1;
  }
  for (Group& group : groups_)
    for (std::size_t i = group.begin; i < group.end; ++i)
      if (Gradient* result = operations_[i]->result(); result && result->value.square)
        group.heads = result->value.width;
  findCheapRows();
  findLaterRows();
  for (const auto& spared : spared_)
    while (!isWrittenBy(spared->value, *operations_[spared->maker])) ++spared->maker;
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
  giveBackRows(group, begin, end);
}

void Tape::runHeads(const Group& group, int first, int worker, int workers) {
  const int positions = group.extent->positions;
  int item = 0;
  for (int b = 0; b < group.extent->sequences; ++b)
    for (int h = 0; h < group.heads; ++h)
      for (int t = first; t < positions; t += queryBlock, ++item) {
        if (item % workers != worker) continue;
        if (group.end > wholeFrom_) fillRows(group, h, t, std::min(t + queryBlock, positions));
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
      return giveBackSquares(group);
    case Operation::Domain::Time:
      return runTime(group, first);
  }
}

// Enough rows: every worker takes its own through the whole pass and waits only where rows need
// one another.
void Tape::runTogether(Team& team, int worker, Groups groups, const First& firsts) {
  const int workers = team.workers();
  for (const Group& group : groups) {
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
      if (worker == 0) giveBackSquares(group);
    }
  }
}

// Few rows, as in decoding: the workers share the columns of the weights, which is where the time goes.
void Tape::runFewRows(Team& team, int worker, Groups groups, const First& firsts) {
  for (const Group& group : groups) {
    const int first = firstOf(group, firsts), positions = group.extent->positions;
    if (first >= positions) continue;
    if (group.domain != Operation::Domain::Rows) {
      if (group.domain == Operation::Domain::Heads)
        runHeads(group, first, worker, team.workers());
      else if (worker == 0)
        runTime(group, first);
      team.barrier();
      if (worker == 0) giveBackSquares(group);
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
    if (worker == 0) giveBackRows(group, first, positions);
  }
}

void Tape::run(Team& team, Groups groups, const First& first, int rows) {
  if (team.workers() == 1) {
    for (const Group& g : groups) runAlone(g, firstOf(g, first), g.extent->positions);
  } else if (rows < fewRows * team.workers()) {
    team.run([&](int worker) { runFewRows(team, worker, groups, first); });
  } else {
    team.run([&](int worker) { runTogether(team, worker, groups, first); });
  }
}

void Tape::forward(Team& team, const TapeStart& start, const std::function<void(std::size_t)>& paused) {
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
  giveBackOutdated();
  const std::vector<Spared*> made = makeReadFrom(start.operation);
  if (floats < fewFloats) {
    for (const Group& g : run_) runAlone(g, firstOf(g, first), g.extent->positions);
  } else if (!paused || !made.empty()) {  // what is made for this run alone is not there to be looked at
    run(team, run_, first, rows);
  } else {
    for (auto begin = run_.begin(); begin != run_.end();) {
      const auto end = std::find_if(std::next(begin), run_.end(), [&](const Group& group) {
        return std::ranges::binary_search(pauses_, group.begin);
      });
      run(team, {begin, end}, first, rows);
      if (end != run_.end()) paused(end->begin);
      begin = end;
    }
  }
  for (Spared* spared : made) giveBack(*spared);
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

// What operations of a group read of their forward pass that is not kept, for as long as they run backward.
std::vector<Tape::Spared*> Tape::makeIn(const Group& group) {
  std::vector<Spared*> made;
  for (const auto& spared : spared_) {
    if (spared->maker < group.begin || spared->maker >= group.end || spared->isThere) continue;
    make(*made.emplace_back(spared.get()));
    spared->isThere = true;
  }
  return made;
}

void Tape::backward(const Group& group) {
  const bool inTime = group.domain == Operation::Domain::Time;
  for (int t = inTime ? group.extent->positions : 1; t-- > 0;)
    for (std::size_t i = group.end; i-- > group.begin;) {
      const Gradient* result = operations_[i]->result();
      if (result && !result->data) continue;
      inTime ? operations_[i]->backwardAt(t) : operations_[i]->backward();
    }
}

void Tape::backward() {
  for (std::size_t g = groups_.size(); g-- > 0;) {
    const std::vector<Spared*> made = makeIn(groups_[g]);
    backward(groups_[g]);
    for (Spared* spared : made) giveBack(*spared);
  }
}

}  // namespace glassformer
