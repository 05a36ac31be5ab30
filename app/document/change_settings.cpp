#include "app/document/change_settings.h"

#include "app/document/tab_text.h"
#include "app/document/workspace.h"

namespace glassformer::commands {

Command takeReplacement(TabText before, TabText after) {
  return {[before = std::move(before), after = std::move(after)](Workspace& w) {
            if (TabText(w.text, w.source) == before) w.text = after.text, w.source = after.source;
          },
          "replacing a token", ""};
}

Command takeInterventions(Interventions off) {
  return {[off = std::move(off)](Workspace& w) {
            w.interventions.insert(w.interventions.end(), off.begin(), off.end());
          },
          "ablation of heads", ""};
}

}  // namespace glassformer::commands
