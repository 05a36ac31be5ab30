#include "app/document/mask_painting.h"

#include <algorithm>

#include "app/document/model_commands.h"
#include "app/document/workspace.h"
#include "core/model/painted_mask.h"

namespace glassformer::commands {

namespace {

// A command that changes the mask as it is by then.
template <typename Change>
Command changeMask(const ModelConfig& loaded, Change change, std::string stroke = "") {
  const bool merges = !stroke.empty();
  return {[loaded, change](Workspace& w) {
            const auto config = changedConfig(loaded, w.changes);
            if (!config) return;
            AttentionMask mask = config->mask;
            change(mask);
            setModelChanges(withChange(w.changes, loaded, paintedMaskField, toText(mask.painted))).apply(w);
          },
          "editing the mask", std::move(stroke), merges};
}

void paint(AttentionMask& mask, const PaintedCell& cell) {
  const AttentionMask rule{mask.kind, mask.size, {}};
  if (rule.allows(cell.query, cell.key) == cell.allowed)
    mask.painted.erase(cell.query, cell.key);
  else
    mask.painted.paint(cell);
}

}  // namespace

Command paintMask(const ModelConfig& loaded, std::vector<PaintedCell> cells, std::string stroke) {
  return changeMask(
      loaded,
      [cells = std::move(cells)](AttentionMask& mask) {
        for (const PaintedCell& cell : cells) paint(mask, cell);
      },
      std::move(stroke));
}

Command invertMask(const ModelConfig& loaded, int tokens) {
  return changeMask(loaded, [tokens](AttentionMask& mask) {
    for (int query = 0; query < tokens; ++query)
      for (int key = 0; key < tokens; ++key) paint(mask, {query, key, !mask.allows(query, key)});
  });
}

Command startMaskFrom(const ModelConfig& loaded, MaskKind rule) {
  Command command = clearPaintedMask(loaded);
  command.apply = [loaded, rule, clear = std::move(command.apply)](Workspace& w) {
    const auto& choice = *std::ranges::find(configChoices(), "mask", &ConfigChoice::id);
    const auto option = static_cast<std::size_t>(rule);
    setModelChanges(withChange(w.changes, loaded, choice.id, choice.options[option].id)).apply(w);
    clear(w);
  };
  return command;
}

Command clearPaintedMask(const ModelConfig& loaded) {
  return changeMask(loaded, [](AttentionMask& mask) { mask.painted = {}; });
}

}  // namespace glassformer::commands
