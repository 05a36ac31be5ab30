#include "app/document/branch_commands.h"

#include <algorithm>

#include "app/document/tabs.h"
#include "app/document/text_commands.h"
#include "app/document/workspace.h"

namespace glassformer {

namespace {

// The next letter that none of them is called: "A".
std::string freeName(const std::vector<Branch>& branches) {
  for (int round = 0;; ++round)
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      std::string name = letter + (round ? std::to_string(round) : "");
      if (std::ranges::find(branches, name, &Branch::name) == branches.end()) return name;
    }
}

// The first colour that the fewest of them have; the one that is like the accent comes last.
int freeColor(const std::vector<Branch>& branches) {
  std::vector<int> used(branchColors);
  for (const Branch& branch : branches) ++used[static_cast<std::size_t>(branch.color)];
  const auto fewest = std::min_element(used.begin() + 1, used.end());
  return used[0] < *fewest ? 0 : static_cast<int>(fewest - used.begin());
}

Command changeBranch(int at, std::string undoName, std::function<void(Branch&)> change,
                     std::string gesture = "") {
  return {[at, change = std::move(change)](Workspace& w) {
            if (at >= 0 && at < static_cast<int>(w.branches.size()))
              change(w.branches[static_cast<std::size_t>(at)]);
          },
          std::move(undoName), std::move(gesture)};
}

}  // namespace

namespace commands {

Command keepBranch(TabText writing) {
  return {[writing = std::move(writing)](Workspace& w) {
            if (keeps(w.branches, writing) || w.branches.size() >= mostBranches) return;
            w.branches.push_back({freeName(w.branches), writing, freeColor(w.branches)});
          },
          "keeping a branch"};
}

Command renameBranch(int branch, std::string name) {
  return changeBranch(
      branch, "name of a branch",
      [name = std::move(name)](Branch& b) {
        if (!name.empty()) b.name = name;
      },
      "branch " + std::to_string(branch));
}

Command recolorBranch(int branch) {
  return changeBranch(branch, "color of a branch", [](Branch& b) { b.color = (b.color + 1) % branchColors; });
}

Command dropBranch(int branch) {
  return {[branch](Workspace& w) {
            if (branch >= 0 && branch < static_cast<int>(w.branches.size()))
              w.branches.erase(w.branches.begin() + branch);
          },
          "dropping a branch"};
}

Command takeWriting(TabText writing, const std::string& name) {
  return {[writing = std::move(writing)](Workspace& w) {
            w.text = writing.text, w.source = writing.source;
            w.selection.query = -1;
          },
          name};
}

Command writingToTab(TabText writing) { return newTab(std::move(writing)); }

Command compareWithWriting(TabText writing) {
  return {[writing = std::move(writing)](Workspace& w) {
            std::vector<TabText> tabs = allTabs(w);
            const auto found = std::ranges::find(tabs, writing);
            const auto at = static_cast<int>(found - tabs.begin());
            if (at == w.tab) return;
            if (found == tabs.end()) {
              tabs.push_back(writing);
              setTabs(w, std::move(tabs), w.tab);
            }
            w.comparison.with = OtherText{at};
          },
          "comparing with a branch"};
}

}  // namespace commands
}  // namespace glassformer
