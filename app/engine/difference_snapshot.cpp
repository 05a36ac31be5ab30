#include "app/engine/difference_snapshot.h"

#include "core/lens/difference.h"

namespace glassformer {

namespace {

// "cat", "cat|dog" where one stands for the other, "+cat" only in a, "−dog" only in b.
TokenPiece pieceOf(const Snapshot::Sides& sides, Stream stream, const Alignment::Column& column) {
  const auto piece = [=](const Snapshot& side, int i) {
    return side.pass->tokensOf(stream)[static_cast<std::size_t>(i)];
  };
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

std::vector<TokenPiece> piecesOf(const Snapshot::Sides& sides, Stream stream) {
  std::vector<TokenPiece> pieces;
  for (const Alignment::Column& column : sides.alignments.of(stream).columns)
    pieces.push_back(pieceOf(sides, stream, column));
  return pieces;
}

std::vector<int> idsOf(const std::vector<TokenPiece>& pieces) {
  std::vector<int> ids;
  for (const TokenPiece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

std::shared_ptr<TensorSet> differenceOf(const std::shared_ptr<const TensorSet>& a,
                                        const std::shared_ptr<const TensorSet>& b,
                                        const Alignments& alignments) {
  auto set = std::make_shared<TensorSet>();
  if (a && b) measureDifference(*a, *b, alignments, *set);
  return set;
}

}  // namespace

std::shared_ptr<const Snapshot> differenceOf(const std::shared_ptr<const Snapshot::Sides>& sides,
                                             const std::function<void(TensorSet&)>& measureBoth) {
  const ShownPass &a = *sides->a->pass, &b = *sides->b->pass;
  auto pass = std::make_shared<ShownPass>(a);
  pass->tokens = piecesOf(*sides, Stream::Text);
  pass->sourceTokens = piecesOf(*sides, Stream::Source);
  auto trace = std::make_shared<Trace>(idsOf(pass->tokens), idsOf(pass->sourceTokens));
  measureDifference(*a.trace, *b.trace, sides->alignments, *trace);
  pass->trace = std::move(trace);
  const auto measurements = differenceOf(a.measurements, b.measurements, sides->alignments);
  measureBoth(*measurements);
  pass->measurements = measurements;
  auto snapshot = std::make_shared<Snapshot>(*sides->a);
  snapshot->sides = sides;
  snapshot->pass = std::move(pass);
  snapshot->decoded = emptyPart<Decoded>();
  return snapshot;
}

std::shared_ptr<const Snapshot> withBeams(const Snapshot& snapshot) {
  const auto& plain = snapshot.difference;
  if (!plain || !snapshot.isDecoded() || !snapshot.other->isDecoded()) return plain;
  const auto &a = snapshot.decoded->beam, &b = snapshot.other->decoded->beam;
  const auto& known = plain->decoded->beams;
  if (known && known->a == a && known->b == b) return plain;
  auto measured = std::make_shared<TensorSet>();
  auto beams = std::make_shared<ComparedBeams>(ComparedBeams{a, b, uniteBeams(*a, *b)});
  measureBeamDifference(beams->both, *a, *b, *measured);
  Decoded decoded{
      .root = snapshot.decoded->root, .beamMeasurements = std::move(measured), .beams = std::move(beams)};
  return with(*plain, &Snapshot::decoded, std::make_shared<const Decoded>(std::move(decoded)));
}

}  // namespace glassformer
