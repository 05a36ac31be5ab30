#include "app/engine/difference_snapshot.h"

#include "core/lens/difference.h"

namespace glassformer {

namespace {

// "cat", "cat|dog" where one stands for the other, "+cat" only in a, "−dog" only in b.
TokenPiece pieceOf(const Snapshot::Sides& sides, const Alignment::Column& column) {
  const auto piece = [](const Snapshot& side, int i) { return side.tokens[static_cast<std::size_t>(i)]; };
  if (column.b < 0) {
    TokenPiece only = piece(*sides.a, column.a);
    only.label = "+" + only.label;
    return only;
  }
  TokenPiece other = piece(*sides.b, column.b);
  if (column.a < 0) return {other.id, "−" + other.label, 0, 0};
  TokenPiece own = piece(*sides.a, column.a);
  if (own.id != other.id) own.label += "|" + other.label;
  return own;
}

std::shared_ptr<const TensorSet> differenceOf(const std::shared_ptr<const TensorSet>& a,
                                              const std::shared_ptr<const TensorSet>& b,
                                              const Alignment& alignment) {
  auto set = std::make_shared<TensorSet>();
  if (a && b) measureDifference(*a, *b, alignment, *set);
  return set;
}

}  // namespace

std::shared_ptr<const Snapshot> differenceOf(const std::shared_ptr<const Snapshot::Sides>& sides) {
  const Snapshot &a = *sides->a, &b = *sides->b;
  auto snapshot = std::make_shared<Snapshot>(a);
  snapshot->sides = sides;
  snapshot->tokens.clear();
  std::vector<int> ids;
  for (const Alignment::Column& column : sides->alignment.columns) {
    snapshot->tokens.push_back(pieceOf(*sides, column));
    ids.push_back(snapshot->tokens.back().id);
  }
  auto trace = std::make_shared<Trace>(std::move(ids));
  measureDifference(*a.trace, *b.trace, sides->alignment, *trace);
  snapshot->trace = std::move(trace);
  snapshot->measurements = differenceOf(a.measurements, b.measurements, sides->alignment);
  snapshot->beam = nullptr, snapshot->beamMeasurements = nullptr, snapshot->beams = nullptr;
  snapshot->continuation.clear(), snapshot->continuationMeasurements = nullptr;
  return snapshot;
}

std::shared_ptr<const Snapshot> withBeams(const Snapshot& snapshot) {
  const auto& plain = snapshot.difference;
  if (!plain || !snapshot.isDecoded() || !snapshot.other->isDecoded()) return plain;
  if (plain->beams && plain->beams->a == snapshot.beam && plain->beams->b == snapshot.other->beam)
    return plain;
  auto beams = std::make_shared<ComparedBeams>(
      ComparedBeams{snapshot.beam, snapshot.other->beam, uniteBeams(*snapshot.beam, *snapshot.other->beam)});
  auto measured = std::make_shared<TensorSet>();
  measureBeamDifference(beams->both, *beams->a, *beams->b, *measured);
  auto difference = std::make_shared<Snapshot>(*plain);
  difference->beams = std::move(beams);
  difference->beamMeasurements = std::move(measured);
  return difference;
}

}  // namespace glassformer
