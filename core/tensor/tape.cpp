#include "core/tensor/tape.h"

#include <algorithm>

#include "core/tensor/huge_pages.h"

namespace glassformer {
namespace {
constexpr int fewRows = 8;                // per worker; below it workers share columns instead of rows
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
  return memory_.emplace_back(inHugePages(floats, fill)).data();  // the first touch costs more than a pass
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
  const Value value{allocate(floats, 0), width, stride, false, id, id, 0, stream, stream, false, false};
  roots_.push_back({value, floats, 0});
  return value;
}

Value Tape::squares(int heads, float fill, bool triangular, Stream queries, Stream keys) {
  const int stride = roundUp(extent(keys).capacity, 16);
  const auto perPosition = static_cast<std::size_t>(heads * stride);
  const auto floats = static_cast<std::size_t>(extent(queries).rows()) * perPosition;
  const int id = static_cast<int>(sizes_.size());
  sizes_.push_back(floats);
  floatsPerPosition_[index(queries)] += perPosition;
  Value value{nullptr, heads, stride, true, id, id, 0, queries, keys, triangular, false};
  value.data = dropsSquares_ ? allocateUntouched(floats) : allocate(floats, fill);
  roots_.push_back({value, floats, fill});
  if (dropsSquares_) {
    Dropped& square = *dropped_.emplace_back(std::make_unique<Dropped>());
    square.value = value, square.size = floats, square.fill = fill;
  }
  return value;
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

Value Tape::over(const Value& value) {
  assert(!dropsSquares_ && value.column == 0);
  Value later = value;
  later.id = later.root = static_cast<int>(sizes_.size());
  sizes_.push_back(sizes_[static_cast<std::size_t>(value.root)]);
  return later;
}

void Tape::setWholeRows(std::size_t from) {
  wholeFrom_ = from;
  for (std::size_t i = 0; i < operations_.size(); ++i) operations_[i]->setWholeRows(i >= from);
}

void Tape::refillSquares(std::size_t from) {
  for (const Root& root : roots_)
    if (root.value.square && !droppedAt(root.value.data) && firstMakerOf(root.value) >= from)
      std::fill(root.value.data, root.value.data + root.size, root.fill);
}

double Tape::multiplyAdds(Operation::Domain domain) const {
  double sum = 0;
  for (const auto& operation : operations_)
    if (operation->domain() == domain) sum += operation->multiplyAdds();
  return sum;
}

// Of a value, or of the table whose columns it is.
double Tape::floatsOf(const Value& value, const Room& room) {
  const double rows = static_cast<double>(room.sequences) * room.capacity[index(value.stream)];
  return value.square ? rows * value.width * roundUp(room.capacity[index(value.keys)], 16)
                      : rows * static_cast<double>(value.stride);
}

Tape::Bytes Tape::bytesFor(int sequences, int capacity, int sourceCapacity) const {
  Bytes bytes;
  for (const Root& root : roots_) {
    const double size = sizeof(float) * floatsOf(root.value, {sequences, {capacity, sourceCapacity}});
    (root.value.square ? bytes.squares : bytes.tables) += size;
  }
  return bytes;
}

void Tape::copyRows(const Tape& other, std::array<int, 2> begin, std::array<int, 2> end) {
  assert(roots_.size() == other.roots_.size() && extent().sequences == 1 && other.extent().sequences == 1);
  assert(dropsSquares_ || !other.dropsSquares_);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const Value &to = roots_[i].value, &from = other.roots_[i].value;
    if (droppedAt(to.data)) continue;  // made again from the rows of its operands
    copyRows(to, from, other, begin[index(to.stream)], end[index(to.stream)]);
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
    if (groups_.empty() || groups_.back().domain != domain || groups_.back().extent != extent)
      groups_.push_back({domain, extent, i, i});
    groups_.back().end = i + 1;
  }
  for (Group& group : groups_)
    for (std::size_t i = group.begin; i < group.end; ++i)
      if (Gradient* result = operations_[i]->result(); result && result->value.square)
        group.heads = result->value.width;
  for (const auto& square : dropped_)
    while (!isWrittenBy(square->value, *operations_[square->maker])) ++square->maker;
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

void Tape::runOperations(std::size_t first, std::size_t last, int begin, int end) {
  for (int row = begin; row < end; row += rowBlock)
    for (std::size_t i = first; i < last; ++i) operations_[i]->forward({row, std::min(row + rowBlock, end)});
}

// What can be computed at once of a group on rows: rows, but of some products columns of all rows.
void Tape::planRows(const Group& group, int rows, int workers) {
  for (std::size_t i = group.begin; i < group.end;) {
    const std::size_t from = i;
    while (i < group.end && !operations_[i]->sharesColumns(rows, workers)) ++i;
    if (i > from) stages_.push_back({Share::Rows, &group, from, i, workers});
    if (i < group.end) stages_.push_back({Share::Columns, &group, i, i + 1, workers}), ++i;
  }
}

// Few rows, as in decoding: the columns of the weights, which is where the time goes.
void Tape::planColumns(const Group& group, int workers) {
  for (std::size_t i = group.begin; i < group.end;) {
    const std::size_t from = i;
    while (i < group.end && !operations_[i]->splitsColumns()) ++i;
    if (i > from) stages_.push_back({Share::Rows, &group, from, i, 1});
    if (i < group.end) stages_.push_back({Share::Columns, &group, i, i + 1, workers}), ++i;
  }
}

void Tape::plan(Groups groups, const Stretch& stretch, int workers) {
  stages_.clear();
  const bool areFew = stretch.longest() < fewRows * workers;
  for (const Group& group : groups) {
    const Positions positions = of(group, stretch);
    const int rows = positions.end - positions.begin;
    if (rows <= 0) continue;
    if (group.domain == Operation::Domain::Rows)
      areFew ? planColumns(group, workers) : planRows(group, rows, workers);
    else if (group.domain == Operation::Domain::Heads)
      stages_.push_back({Share::Heads, &group, group.begin, group.end, workers});
    else
      stages_.push_back({Share::Time, &group, group.begin, group.end, 1});
    if (!squaresOf(group.begin, group.end).empty())
      stages_.push_back({Share::Drop, &group, group.begin, group.end, 1});
  }
}

void Tape::runHeads(const Group& group, Positions positions, int worker, int workers) {
  int item = 0;
  for (int b = 0; b < group.extent->sequences; ++b)
    for (int h = 0; h < group.heads; ++h)
      for (int t = positions.begin; t < positions.end; t += queryBlock, ++item) {
        if (item % workers != worker) continue;
        const int end = std::min(t + queryBlock, positions.end);
        if (group.end > wholeFrom_) fillRows(group, h, t, end);
        for (std::size_t i = group.begin; i < group.end; ++i) operations_[i]->forward({t, end, b, h});
      }
}

void Tape::runTime(const Group& group, Positions positions) {
  for (int t = positions.begin; t < positions.end; ++t)
    for (std::size_t i = group.begin; i < group.end; ++i) operations_[i]->forward({t, t + 1});
}

void Tape::runAlone(const Group& group, Positions positions, int rowEnd) {
  switch (group.domain) {
    case Operation::Domain::Rows:
      return runOperations(group.begin, group.end, positions.begin, rowEnd);
    case Operation::Domain::Heads:
      runHeads(group, positions, 0, 1);
      return drop(squaresOf(group.begin, group.end));
    case Operation::Domain::Time:
      return runTime(group, positions);
  }
}

void Tape::runPart(const Stage& stage, Positions positions, int part) {
  const int first = positions.begin, rows = positions.end - first;
  const int begin = first + rows * part / stage.parts, end = first + rows * (part + 1) / stage.parts;
  switch (stage.share) {
    case Share::Rows:
      return runOperations(stage.begin, stage.end, begin, end);
    case Share::Columns:
      return operations_[stage.begin]->forward({first, positions.end, 0, 0, part, stage.parts});
    case Share::Heads:
      return runHeads(*stage.group, positions, part, stage.parts);
    case Share::Time:
      return runTime(*stage.group, positions);
    case Share::Drop:
      return drop(squaresOf(stage.begin, stage.end));
  }
}

// One run of the team for all of it: it waits only where rows need one another, or columns are shared.
void Tape::run(ThreadPool& team, Groups groups, const Stretch& stretch) {
  if (team.workers() == 1) {
    for (const Group& group : groups) runAlone(group, of(group, stretch), of(group, stretch).end);
    return;
  }
  plan(groups, stretch, team.workers());
  parts_.clear();
  for (const Stage& stage : stages_) parts_.push_back(stage.parts);
  team.run(parts_, [&](int at, int part) {
    const Stage& stage = stages_[static_cast<std::size_t>(at)];
    runPart(stage, of(*stage.group, stretch), part);
  });
}

void Tape::forward(ThreadPool& team, const TapeStart& start) {
  assert(extent().sequences == 1);
  chooseGroups(start.operation);
  Stretch stretch;
  std::size_t floats = 0;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    stretch.end[i] = extents_[i].positions;
    stretch.begin[i] = std::min(start.position[i], stretch.end[i]);
    floats += floatsPerPosition_[i] * static_cast<std::size_t>(stretch.end[i] - stretch.begin[i]);
  }
  if (stretch.longest() == 0) return;
  for (const auto& square : dropped_)
    if (square->isThere) drop(*square);  // it is of the rows before
  // What a run that starts in the middle of an attention reads of squares made before.
  const auto home = std::ranges::find_if(groups_, [&](const Group& g) { return start.operation < g.end; });
  const auto made =
      home == groups_.end() ? std::vector<Dropped*>() : makeSquaresOf(home->begin, start.operation);
  if (floats < fewFloats) {
    for (const Group& group : run_) runAlone(group, of(group, stretch), of(group, stretch).end);
  } else {
    run(team, run_, stretch);
  }
  drop(made);
}

void Tape::forward() {
  group();
  for (const Group& g : groups_) {
    assert(g.extent->positions == g.extent->capacity);
    runAlone(g, {0, g.extent->positions}, g.extent->rows());
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

}  // namespace glassformer
