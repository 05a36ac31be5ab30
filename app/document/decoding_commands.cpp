#include "app/document/decoding_commands.h"

#include <algorithm>

#include "app/document/cache_settings.h"
#include "app/document/view_commands.h"
#include "app/document/workspace.h"

namespace glassformer::commands {

Command setDecoding(Decoding decoding, std::string undoName, std::string gesture) {
  return {[decoding = std::move(decoding)](Workspace& w) { w.decoding = decoding; }, std::move(undoName),
          std::move(gesture), true};
}

Command liftConstraint(Decoding decoding) {
  decoding.constraint = {};
  return setDecoding(std::move(decoding), "constraint lifted");
}

Command banOrAllow(int token, const std::string& label, Decoding decoding) {
  std::vector<int>& banned = decoding.constraint.banned;
  const auto at = std::ranges::lower_bound(banned, token);
  const bool isBanned = at != banned.end() && *at == token;
  if (isBanned)
    banned.erase(at);
  else
    banned.insert(at, token);
  return setDecoding(std::move(decoding), label + (isBanned ? " allowed" : " banned"));
}

Command goToPrefix(std::string text) {
  return {[text = std::move(text)](Workspace& w) {
            goAlongWay(w, text);
            w.selection.query = -1;
            w.settings.choose(cacheStepChoice, "");
          },
          "position in the decoded text", "place", true};
}

Command decodeAgainFrom(std::string text) {
  return {[text = std::move(text)](Workspace& w) {
            endWayAt(w, text);
            w.selection.query = -1;
          },
          "decoding again"};
}

Command forceToken(std::string prefix, std::string bytes, const std::string& label) {
  return {[prefix = std::move(prefix), bytes = std::move(bytes)](Workspace& w) {
            if (!w.text.starts_with(prefix) || bytes.empty()) return;
            goAlongWay(w, prefix);
            w.text = prefix;
            decodeTo(w, prefix + bytes, ChosenBy::Hand);
            w.selection.query = w.selection.key = -1;
          },
          label + " forced"};
}

Command lookAt(const std::string& root, const std::string& added) {
  return {[root, text = root + added](Workspace& w) {
            lookAtHypothesis(w, root, text);
            w.selection.query = -1;
          },
          "hypothesis", ""};
}

Command searchFromHere() {
  return {[](Workspace& w) { w.way.root.clear(), w.way.isRooted = false; }, "root of the tree", ""};
}

Command toggleFold(std::vector<int> path) {
  return changeSettings([path = std::move(path)](ViewSettings& settings) {
    auto& folded = settings.beam.folded;
    if (std::erase(folded, path) == 0) folded.push_back(path);
  });
}

}  // namespace glassformer::commands
