#include "app/document/selection_commands.h"

#include "app/document/workspace.h"

namespace glassformer::commands {

Command select(Selection selection) {
  return {[selection](Workspace& w) { w.selection = selection; }, "", ""};
}

Command selectHead(int layer, int head) {
  return {[=](Workspace& w) {
            w.selection.layer = layer, w.selection.head = head;
            w.settings.attention.heads.clear();
            w.settings.attention.fold = HeadFold::One;
          },
          "", ""};
}

Command selectHead(HeadId head) {
  return {[=, alone = selectHead(head.layer, head.head).apply](Workspace& w) {
            w.selection.site = head.site;
            alone(w);
          },
          "", ""};
}

Command selectSite(AttentionSite site) {
  return {[=](Workspace& w) {
            w.selection.site = site;
            w.settings.attention.heads.clear();
            w.settings.attention.window = {};
          },
          "", ""};
}

Command selectCell(int query, int key, AttentionSite site) {
  return {[=](Workspace& w) {
            Selection& chosen = w.selection;
            (queriesOf(site) == Stream::Text ? chosen.query : chosen.source) = query;
            (keysOf(site) == Stream::Text   ? chosen.key
             : site == AttentionSite::Cross ? chosen.source
                                            : chosen.sourceKey) = key;
          },
          "", ""};
}

Command selectQuery(int position, Stream stream) {
  return {[=](Workspace& w) { (stream == Stream::Text ? w.selection.query : w.selection.source) = position; },
          "", ""};
}

Command selectDimension(int dimension) {
  return {[=](Workspace& w) { w.selection.dimension = dimension; }, "", ""};
}

Command letTokensGo() {
  return {[](Workspace& w) {
            Selection& chosen = w.selection;
            chosen.query = chosen.key = chosen.source = chosen.sourceKey = -1;
          },
          "", ""};
}

}  // namespace glassformer::commands
