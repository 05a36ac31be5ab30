#include "core/lens/largest_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

// All of them, the largest first.
std::vector<int> bySize(const TensorView& sums) {
  std::vector<int> order(static_cast<std::size_t>(sums.extent[0]));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](int i) { return std::abs(sums(i)); });
  return order;
}

// Those that are not listed.
std::vector<int> unlisted(const TensorView& sums, int most) {
  const std::vector<int> order = bySize(sums);
  const auto listed = static_cast<std::ptrdiff_t>(largestFirst(sums, most).size());
  return {order.begin() + listed, order.end()};
}

Derivation sumOf(const TensorView& sums, const std::vector<int>& those) {
  Derivation d;
  for (const int i : those) d.terms.push_back({&sums(i)});
  return d;
}

// What lists leave out of one table.
class Unlisted {
 public:
  Unlisted(TensorSet& set, const std::string& table, const std::string& fromRow,
           const std::string& fromColumn)
      : set_(set),
        table_(table),
        point_(set.point(set.find(table))),
        cells_(set[table]),
        rowSums_(set[fromRow]),
        columnSums_(set[fromColumn]),
        columns_(unlisted(columnSums_, mostListed)) {}

  void addColumns() {
    if (columns_.empty()) return;
    const OthersOf others(table_);
    add(others.inColumns, std::string(1, point_.letters[0]), point_.rows, cells_.extent[0],
        "the columns that are not among the largest, added up",
        [cells = cells_, columns = columns_](const Index& at) { return sumOf(cells[at[0]], columns); });
    add(others.ofColumns, "1", point_.rows, 1, "sum of the columns that are not among the largest",
        [sums = columnSums_, columns = columns_](const Index&) { return sumOf(sums, columns); });
  }

  void addRows(int listed) {
    const std::vector<int> rows = unlisted(rowSums_, listed);
    if (rows.empty()) return;
    const OthersOf others(table_, listed);
    add(others.inRows, std::string(1, point_.letters[1]), point_.keys, cells_.extent[1],
        "the rows that are not among the largest, added up", [cells = cells_, rows](const Index& at) {
          Derivation d;
          for (const int i : rows) d.terms.push_back({&cells(i, at[0])});
          return d;
        });
    add(others.ofRows, "1", point_.rows, 1, "sum of the rows that are not among the largest",
        [sums = rowSums_, rows](const Index&) { return sumOf(sums, rows); });
    if (columns_.empty()) return;
    add(others.inBoth, "1", point_.rows, 1, "sum of the cells outside of the largest rows and columns",
        [cells = cells_, columns = columns_, rows](const Index&) {
          Derivation d;
          for (const int i : rows)
            for (const int j : columns) d.terms.push_back({&cells(i, j)});
          return d;
        });
  }

 private:
  void add(const std::string& name, const std::string& letter, Stream counted, int count,
           const std::string& meaning, const TensorSet::DerivationOf& derivation) {
    addDerived(set_, {name, letter, meaning, "Σ " + point_.equation, counted, point_.keys}, {count},
               derivation);
  }

  TensorSet& set_;
  std::string table_;
  TracePoint point_;
  TensorView cells_, rowSums_, columnSums_;
  std::vector<int> columns_;  // not listed
};

}  // namespace

std::vector<int> largestFirst(const TensorView& sums, int most) {
  std::vector<int> order = bySize(sums);
  if (order.size() > static_cast<std::size_t>(most) + 1) order.resize(static_cast<std::size_t>(most));
  return order;
}

void addOthers(TensorSet& set, const std::string& table, const std::string& fromRow,
               const std::string& fromColumn) {
  Unlisted others(set, table, fromRow, fromColumn);
  others.addColumns();
  for (const int listed : listedRows) others.addRows(listed);
}

}  // namespace glassformer
