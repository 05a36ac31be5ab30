// What a run does not keep of a tape, and makes anew where it is looked at: which values these are, how they
// come again, and when they go. See Retained.
#include <algorithm>
#include <cmath>

#include "core/tensor/huge_pages.h"
#include "core/tensor/tape.h"

namespace glassformer {

// Scores are what starts as -inf.
bool Tape::isKept(const Value& square, float fill) const {
  return !square.triangular || kept_ < (std::isinf(fill) ? Retained::Patterns : Retained::Tables);
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

bool Tape::sparesAnyOf(const Group& group) const {
  return std::ranges::any_of(
      spared_, [&](const auto& spared) { return spared->maker >= group.begin && spared->maker < group.end; });
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

}  // namespace glassformer
