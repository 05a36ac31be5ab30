#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/train/tasks/grammar.h"

namespace glassformer {

/// Thrown when the choices laid down are used up: `count` alternatives are open here.
struct NoChoiceLeft {
  int count;
};

/// Choices laid down beforehand.
class ScriptedChoices : public Choices {
 public:
  explicit ScriptedChoices(const std::vector<int>& script) : script_(script) {}

 private:
  int drawUniform(int count) override {
    if (next_ == script_.size()) throw NoChoiceLeft{count};
    return script_[next_++];
  }
  bool drawChance(double) override { return drawUniform(2) == 1; }
  const std::vector<int>& script_;
  std::size_t next_ = 0;
};

/// Runs `tell(choices, text)` along every way through its choices, an independent check of probabilities and
/// of uniqueness. `tell` lets NoChoiceLeft pass after setting `text` to what was written so far. Ways whose
/// text is no beginning of `target` are cut off, unless it is null.
inline void forEveryDerivation(const std::function<void(Choices&, std::string&)>& tell,
                               const std::string* target = nullptr) {
  std::vector<std::vector<int>> open{{}};
  while (!open.empty()) {
    std::vector<int> script = std::move(open.back());
    open.pop_back();
    ScriptedChoices choices(script);
    std::string text;
    try {
      tell(choices, text);
    } catch (const NoChoiceLeft& here) {
      if (target && !target->starts_with(text)) continue;
      script.push_back(0);
      for (int i = 0; i < here.count; ++i) script.back() = i, open.push_back(script);
    }
  }
}

}  // namespace glassformer
