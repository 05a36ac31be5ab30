#include "core/tensor/operations/attention_mask.h"

#include <algorithm>
#include <utility>

#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

// In place, and without a backward of its own: what comes after gives masked scores the gradient 0.
class MaskScores final : public AttentionStep {
 public:
  MaskScores(const Tape& tape, Value scores, AttentionMask mask, float forbidden)
      : AttentionStep(tape, scores), scores_(scores), mask_(std::move(mask)), forbidden_(forbidden) {}

  void forward(const Work& w) override {
    const int S = keys(w.rowEnd), length = keyExtent_.length(w.sequence);
    const bool plain = mask_.kind == MaskKind::Causal && mask_.painted.empty();
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      float* row = scores_.data + at(scores_, w.sequence, w.head, t);
      if (plain)
        std::fill(row + std::min(t + 1, S), row + S, forbidden_);
      else
        for (int s = 0; s < S; ++s)
          if (!mask_.allows(t, s)) row[s] = forbidden_;
      if (length < S) std::fill(row + length, row + S, forbidden_);
    }
  }

  bool makes(Cell cell) const override { return holds(scores_, cell); }
  Derivation derive(Cell cell, const Before& before) const override {
    const auto [head, t, s] = placeOf(scores_, cell);
    Derivation d = before();
    if (!mask_.allows(t, s) || s >= keys(t + 1)) d.form = Form::Masked, d.constant = forbidden_;
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return mask_.seesAll() ? names.before() : "mask(" + names.before() + ")";
  }

 private:
  Value scores_;
  AttentionMask mask_;
  float forbidden_;
};

class MaskAndRenormalize final : public AttentionStep {
 public:
  MaskAndRenormalize(const Tape& tape, Value weights, Value pattern, AttentionMask mask)
      : AttentionStep(tape, weights), mask_(std::move(mask)), dWeights_{weights}, dPattern_{pattern} {}

  void forward(const Work& w) override {
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const float* weight = dWeights_.value.data + at(dWeights_.value, w.sequence, w.head, t);
      float* row = dPattern_.value.data + at(dPattern_.value, w.sequence, w.head, t);
      const int S = keys(w.rowEnd);
      float sum = 0;
      for (int s = 0; s < S; ++s) sum += row[s] = allows(w.sequence, t, s) ? weight[s] : 0;
      if (sum != 0)
        for (int s = 0; s < S; ++s) row[s] /= sum;
    }
  }

  // y = m w / n with n = Σ m w, so dw_s = m_s (dy_s - Σ_r dy_r y_r) / n.
  void backwardOf(int b, int h) override {
    const Value &weights = dWeights_.value, &pattern = dPattern_.value;
    for (int t = 0; t < queryCount(); ++t) {
      const auto row = at(pattern, b, h, t);
      const float* dy = gradient(dPattern_, b, h, t);
      float* dw = gradient(dWeights_, b, h, t);
      const int S = keyCount();
      float sum = 0, inner = 0;
      for (int s = 0; s < S; ++s)
        if (allows(b, t, s)) {
          sum += weights.data[row + s];
          inner += dy[s] * pattern.data[row + s];
        }
      for (int s = 0; s < S; ++s) dw[s] = sum != 0 && allows(b, t, s) ? (dy[s] - inner) / sum : 0;
    }
  }

  std::vector<Gradient*> operands() override { return {&dWeights_}; }
  Gradient* result() override { return &dPattern_; }

  bool makes(Cell cell) const override { return holds(dPattern_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, chosen] = placeOf(dPattern_.value, cell);
    if (chosen >= keys(t + 1) || !allows(0, t, chosen)) return {.form = Form::Masked};
    Derivation d{.form = Form::Share};
    for (int s = 0; s < keys(t + 1); ++s) {
      if (s == chosen) d.chosen = d.terms.size();
      if (allows(0, t, s)) d.terms.push_back({squareCell(dWeights_.value, h, t, s)});
    }
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    const std::string w = names.of(dWeights_.value.data);
    const std::string masked = mask_.seesAll() ? w : "mask(" + w + ")";
    return masked + " / Σ " + masked;
  }

 private:
  bool allows(int sequence, int t, int s) const {
    return s < keyExtent_.length(sequence) && mask_.allows(t, s);
  }
  AttentionMask mask_;
  Gradient dWeights_, dPattern_;
};

}  // namespace

std::vector<PaintedCell>::const_iterator PaintedCells::at(int query, int key) const {
  return std::lower_bound(cells_.begin(), cells_.end(), std::pair(query, key),
                          [](const PaintedCell& cell, std::pair<int, int> place) {
                            return std::pair(cell.query, cell.key) < place;
                          });
}

const PaintedCell* PaintedCells::find(int query, int key) const {
  const auto cell = at(query, key);
  return cell != cells_.end() && cell->query == query && cell->key == key ? &*cell : nullptr;
}

void PaintedCells::paint(const PaintedCell& cell) {
  erase(cell.query, cell.key);
  cells_.insert(at(cell.query, cell.key), cell);
}

void PaintedCells::erase(int query, int key) {
  if (find(query, key)) cells_.erase(at(query, key));
}

bool AttentionMask::allows(int query, int key) const {
  if (const PaintedCell* cell = painted.find(query, key)) return cell->allowed;
  switch (kind) {
    case MaskKind::None:
      return true;
    case MaskKind::Causal:
      return key <= query;
    case MaskKind::Prefix:
      return key <= query || key < size;
    case MaskKind::Window:
      return key <= query && query - key < size;
  }
  return true;
}

bool AttentionMask::looksAhead() const {
  return kind == MaskKind::None || (kind == MaskKind::Prefix && size > 1) ||
         std::ranges::any_of(painted, [](const PaintedCell& c) { return c.allowed && c.key > c.query; });
}

Value maskScores(Tape& tape, const Value& scores, const AttentionMask& mask, float forbidden) {
  tape.add(std::make_unique<MaskScores>(tape, scores, mask, forbidden));
  return scores;
}

Value maskAndRenormalize(Tape& tape, const Value& weights, const AttentionMask& mask) {
  const Value pattern = tape.squares(weights.width, 0, weights.triangular, weights.stream, weights.keys);
  tape.add(std::make_unique<MaskAndRenormalize>(tape, weights, pattern, mask));
  return pattern;
}

}  // namespace glassformer
