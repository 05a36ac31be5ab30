#include "app/document/rule_settings.h"

#include <algorithm>
#include <set>

#include "core/lens/attention_rule.h"
#include "core/lens/detection_patterns.h"
#include "core/lens/rule_context.h"

namespace glassformer {

std::string ruleAsked(const Workspace& workspace) {
  const std::string_view said = trimmed(workspace.rule);
  return std::string(said.empty() ? detectionPatterns().front().id : said);
}

namespace commands {

Command sayRule(std::string text, std::string gesture) {
  return {[text = std::move(text)](Workspace& w) { w.rule = text; }, "attention rule", std::move(gesture)};
}

Command testRule(std::string text) {
  Command command = sayRule(std::move(text));
  command.apply = [say = std::move(command.apply)](Workspace& w) {
    say(w);
    w.view = "attention", w.settings.pictures["attention"] = "hypothesis";
  };
  return command;
}

Command paintPairs(std::vector<std::pair<int, int>> queriesAndKeys, bool on, std::string stroke) {
  const bool merges = !stroke.empty();
  return {[queriesAndKeys = std::move(queriesAndKeys), on](Workspace& w) {
            const auto before = pairsOf(w.rule);
            std::set<std::pair<int, int>> pairs(before.begin(), before.end());
            for (const auto& pair : queriesAndKeys)
              if (on)
                pairs.insert(pair);
              else
                pairs.erase(pair);
            w.rule = pairs.empty() ? "" : pairsText({pairs.begin(), pairs.end()});
          },
          "drawing an attention rule", std::move(stroke), merges};
}

Command paintRule(bool on) {
  return {[on](Workspace& w) {
            w.view = "attention", w.settings.pictures["attention"] = "matrix";
            w.settings.attention.pairing = on;
            if (on) w.settings.attention.painting = false;
          },
          "", ""};
}

}  // namespace commands
}  // namespace glassformer
