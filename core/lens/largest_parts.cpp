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
std::vector<int> unlisted(const TensorView& sums) {
  const std::vector<int> order = bySize(sums);
  const auto listed = static_cast<std::ptrdiff_t>(largestFirst(sums).size());
  return {order.begin() + listed, order.end()};
}

}  // namespace

std::vector<int> largestFirst(const TensorView& sums) {
  std::vector<int> order = bySize(sums);
  if (order.size() > static_cast<std::size_t>(mostListed) + 1) order.resize(mostListed);
  return order;
}

void addOthers(TensorSet& set, const std::string& table, const std::string& fromRow,
               const std::string& fromColumn) {
  const TensorView cells = set[table], rowSums = set[fromRow], columnSums = set[fromColumn];
  const std::vector<int> rows = unlisted(rowSums), columns = unlisted(columnSums);
  const TracePoint point = set.point(set.find(table));
  const OthersOf others(table);
  const auto add = [&](const std::string& name, const std::string& letter, Stream counted, int count,
                       const std::string& meaning, const TensorSet::DerivationOf& derivation) {
    addDerived(set, {name, letter, meaning, "Σ " + point.equation, counted, point.keys}, {count}, derivation);
  };
  const auto sumOf = [](const TensorView& sums, const std::vector<int>& those) {
    Derivation d;
    for (const int i : those) d.terms.push_back({&sums(i)});
    return d;
  };
  const std::string row(1, point.letters[0]), column(1, point.letters[1]);
  if (!rows.empty()) {
    add(others.inRows, column, point.keys, cells.extent[1],
        "the rows that are not among the largest, added up", [=](const Index& at) {
          Derivation d;
          for (const int i : rows) d.terms.push_back({&cells(i, at[0])});
          return d;
        });
    add(others.ofRows, "1", point.rows, 1, "what the rows come to that are not among the largest",
        [=](const Index&) { return sumOf(rowSums, rows); });
  }
  if (!columns.empty()) {
    add(others.inColumns, row, point.rows, cells.extent[0],
        "the columns that are not among the largest, added up", [=](const Index& at) {
          Derivation d;
          for (const int j : columns) d.terms.push_back({&cells(at[0], j)});
          return d;
        });
    add(others.ofColumns, "1", point.rows, 1, "what the columns come to that are not among the largest",
        [=](const Index&) { return sumOf(columnSums, columns); });
  }
  if (rows.empty() || columns.empty()) return;
  add(others.inBoth, "1", point.rows, 1, "what neither the largest rows nor the largest columns have",
      [=](const Index&) {
        Derivation d;
        for (const int i : rows)
          for (const int j : columns) d.terms.push_back({&cells(i, j)});
        return d;
      });
}

}  // namespace glassformer
