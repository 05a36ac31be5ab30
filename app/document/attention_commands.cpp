#include "app/document/attention_commands.h"

#include <set>

#include "app/document/view_commands.h"
#include "app/document/workspace.h"

namespace glassformer::commands {

Command toggleHead(HeadId head) {
  return {[=](Workspace& w) {
            AttentionSettings& settings = w.settings.attention;
            std::set<HeadId> heads(settings.heads.begin(), settings.heads.end());
            std::erase_if(heads, [&](HeadId other) { return other.site != head.site; });
            if (heads.empty()) heads.insert({w.selection.layer, w.selection.head, head.site});
            if (heads.contains(head) && heads.size() > 1)
              heads.erase(head);
            else
              heads.insert(head);
            settings.heads.assign(heads.begin(), heads.end());
            if (settings.fold == HeadFold::One) settings.fold = HeadFold::Average;
          },
          "", ""};
}

Command chooseHeads(std::vector<HeadId> heads) {
  return changeSettings([heads = std::move(heads)](ViewSettings& settings) {
    settings.attention.heads = heads;
    if (settings.attention.fold == HeadFold::One) settings.attention.fold = HeadFold::Average;
  });
}

Command compareWith(HeadId head) {
  return changeSettings([=](ViewSettings& settings) { settings.attention.other = head; });
}

Command zoomAttention(float notches, int total) {
  return changeSettings([=](ViewSettings& settings) {
    PositionWindow& window = settings.attention.window;
    window = zoomed(window, total, notches, 0.5f, 0.5f);
  });
}

Command setAttentionWindow(PositionWindow window) {
  return changeSettings([=](ViewSettings& settings) { settings.attention.window = window; });
}

}  // namespace glassformer::commands
