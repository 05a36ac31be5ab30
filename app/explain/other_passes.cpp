#include "app/explain/other_passes.h"

#include "app/drawing/scene_input.h"

namespace glassformer {
namespace {

// The shown text's own tokens, or those of another one by their entries.
std::vector<TokenPiece> piecesOf(const Snapshot& shown, Stream stream, const std::vector<int>& read) {
  const ShownPass& pass = *shown.pass;
  const bool isSame =
      pass.trace && read == (stream == Stream::Text ? pass.trace->tokens() : pass.trace->source());
  if (isSame) return pass.tokensOf(stream);
  std::vector<TokenPiece> pieces;
  for (const int id : read) pieces.push_back({id, shown.model->entryLabel(id), 0, 0});
  return pieces;
}

// What keeps alive what the passes have only borrowed.
template <typename Part>
std::shared_ptr<const Part> heldWith(const std::shared_ptr<const Snapshot>& shown,
                                     std::shared_ptr<const Part> part) {
  if (!part) return nullptr;
  const auto both =
      std::make_shared<const std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Part>>>(
          shown, std::move(part));
  return {both, both->second.get()};
}

std::shared_ptr<const Snapshot> snapshotOfPass(const std::shared_ptr<const Snapshot>& shown,
                                               ReplayedPass again) {
  auto pass = std::make_shared<ShownPass>();
  pass->name = std::move(again.name);
  pass->tokens = piecesOf(*shown, Stream::Text, again.trace->tokens());
  pass->sourceTokens = piecesOf(*shown, Stream::Source, again.trace->source());
  pass->trace = heldWith(shown, std::move(again.trace));
  pass->measurements = heldWith(shown, std::move(again.measured));
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->model = shown->model, snapshot->pass = std::move(pass);
  return snapshot;
}

}  // namespace

bool comparesPasses(const Snapshot& shown, const TensorRef& cell) {
  return static_cast<bool>(sourcesOf(shown).across(cell));
}

OpenedAcross openedAcross(const Snapshot& shown, const TensorRef& cell) {
  MultiPassDerivation across = sourcesOf(shown).across(cell)();
  const auto held = std::make_shared<const Snapshot>(shown);
  OpenedAcross opened{inOrder(std::move(across.derivation)), {}};
  for (ReplayedPass& pass : across.passes) opened.passes.push_back(snapshotOfPass(held, std::move(pass)));
  return opened;
}

OperandOfPass operandOf(const Snapshot& shown, const OpenedAcross& opened, int pass, Cell cell) {
  const int count = static_cast<int>(opened.passes.size());
  const auto at = [&](int i) -> const Snapshot& {
    return i < 0 ? shown : *opened.passes[static_cast<std::size_t>(i)];
  };
  if (const Operand found = operandOf(sourcesOf(at(pass)), cell); !found.cell.empty()) return {found, pass};
  for (int i = -1; i < count; ++i)
    if (const Operand found = operandOf(sourcesOf(at(i)), cell); !found.cell.empty()) return {found, i};
  return {{{}, *cell}, pass};
}

}  // namespace glassformer
