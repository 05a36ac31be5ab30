#pragma once
#include <initializer_list>
#include <vector>

#include "core/tensor/tape.h"

namespace glassformer {

enum class MaskKind {
  None,    ///< every query sees every key
  Causal,  ///< no query sees a later key
  Prefix,  ///< as causal, but the first `size` keys are seen by all (Raffel et al. 2020, figure 4)
  Window,  ///< as causal, but a query sees only the last `size` keys, itself included (Child et al. 2019)
};

/// One cell of a mask, painted by hand.
struct PaintedCell {
  int query = 0, key = 0;
  bool allowed = false;
  bool operator==(const PaintedCell&) const = default;
};

/// Painted cells by query, then key, each at most once.
class PaintedCells {
 public:
  PaintedCells() = default;
  PaintedCells(std::initializer_list<PaintedCell> cells) {
    for (const PaintedCell& cell : cells) paint(cell);
  }
  /// Over what was painted there.
  void paint(const PaintedCell& cell);
  void erase(int query, int key);
  /// nullptr where nothing is painted.
  const PaintedCell* find(int query, int key) const;
  bool empty() const { return cells_.empty(); }
  std::size_t size() const { return cells_.size(); }
  auto begin() const { return cells_.begin(); }
  auto end() const { return cells_.end(); }
  bool operator==(const PaintedCells&) const = default;

 private:
  std::vector<PaintedCell>::const_iterator at(int query, int key) const;
  std::vector<PaintedCell> cells_;
};

/// Which keys a query may look at: a rule, and exceptions from it. Padding is masked besides
/// (Extent::lengths). A query without any allowed key has a row of zeros for its pattern: attention adds its
/// bias alone there.
struct AttentionMask {
  MaskKind kind = MaskKind::Causal;
  int size = 0;          ///< Prefix, Window
  PaintedCells painted;  ///< exceptions from the rule

  bool allows(int query, int key) const;
  /// Whether every query may see every key.
  bool seesAll() const { return kind == MaskKind::None && painted.empty(); }
  /// Whether some query may see a later key: then no row is independent of what follows.
  bool looksAhead() const;
  bool operator==(const AttentionMask&) const = default;
};

/// scores[h, t, s] = forbidden, in place, where the mask forbids key s to query t or s is padding: -inf
/// before a softmax, 0 before maskAndRenormalize, which gives these the gradient 0.
Value maskScores(Tape& tape, const Value& scores, const AttentionMask& mask, float forbidden);

/// The other way to mask, after the fact: y[h, t, s] = m[t, s] w[h, t, s] / Σ_r m[t, r] w[h, t, r], with m 0
/// or 1. Of a softmax's pattern it is the pattern of masked scores; of φ(q)·φ(k) it is linear attention's
/// (Katharopoulos et al. 2020, eq. 7). Rows without any allowed weight become 0.
Value maskAndRenormalize(Tape& tape, const Value& weights, const AttentionMask& mask);

}  // namespace glassformer
