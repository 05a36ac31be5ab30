#include "core/train/tasks/grammar.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace glassformer {

int Choices::pick(int count) {
  assert(count > 0);
  if (count == 1) return 0;
  logProbability_ -= std::log(count);
  return drawUniform(count);
}

int Choices::pick(int count, const std::string& text, const Beginning& beginning) {
  assert(count > 0);
  if (count == 1) return 0;
  logProbability_ -= std::log(count);
  return drawText(count, text, beginning);
}

int Choices::drawText(int count, const std::string&, const Beginning&) { return drawUniform(count); }

bool Choices::happens(double probability) {
  if (probability <= 0 || probability >= 1) return probability >= 1;
  const bool result = drawChance(probability);
  logProbability_ += std::log(result ? probability : 1 - probability);
  return result;
}

void Telling::tell(std::string_view pattern) {
  const bool punctuation =
      !pattern.empty() && std::string_view(".,:?!").find(pattern[0]) != std::string_view::npos;
  if (!text_.empty() && !punctuation) text_ += ' ';
  tellOn(pattern);
}

void Telling::tellOn(std::string_view pattern) {
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    text_ += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (pattern.empty()) return;
    const std::size_t close = pattern.find('}');
    assert(close != std::string_view::npos);
    fillSlot(pattern.substr(1, close - 1));
    pattern.remove_prefix(close + 1);
  }
}

void Telling::fillSlot(std::string_view slot) {
  const bool article = slot.starts_with("a ");
  if (article) slot.remove_prefix(2);
  if (const std::string* value = find(slot)) {
    if (article) text_ += articleFor(*value);
    text_ += *value;
    return;
  }
  std::string_view variable;
  if (const std::size_t equals = slot.find('='); equals != std::string_view::npos) {
    variable = slot.substr(0, equals);
    slot.remove_prefix(equals + 1);
  }
  std::vector<std::string_view> values;  // that the alternative may not be
  for (std::size_t dash = slot.rfind('-'); dash != std::string_view::npos; dash = slot.rfind('-')) {
    if (const std::string* value = find(slot.substr(dash + 1))) values.push_back(*value);
    slot = slot.substr(0, dash);
  }
  const std::vector<std::string>& alternatives = alternativesOf(withValues(slot));
  std::vector<int> excluded;
  for (const std::string_view value : values)
    if (const auto at = std::ranges::find(alternatives, value); at != alternatives.end())
      excluded.push_back(static_cast<int>(at - alternatives.begin()));
  const std::size_t before = text_.size();
  expand(alternatives, std::move(excluded), article);
  if (variable.empty()) return;
  const std::size_t articleEnd = article ? text_.find(' ', before) + 1 : before;
  bind(variable, text_.substr(articleEnd));
}

const std::vector<std::string>& Telling::alternativesOf(const std::string& rule) const {
  const auto found = rules_.find(rule);
  assert(found != rules_.end() && "a slot names neither a rule nor a variable");
  return found->second;
}

int Telling::expand(const std::vector<std::string>& alternatives, std::vector<int> excluded, bool article) {
  std::ranges::sort(excluded);
  excluded.erase(std::ranges::unique(excluded).begin(), excluded.end());
  // Alternative `i` of those that are not excluded.
  const auto allowed = [&](int i) {
    for (const int left : excluded) i += left <= i;
    return i;
  };
  const auto beginning = [&](int i) {
    const std::string& chosen = alternatives[static_cast<std::size_t>(allowed(i))];
    return std::string(article ? articleFor(chosen) : "") + chosen.substr(0, chosen.find('{'));
  };
  const int count = static_cast<int>(alternatives.size() - excluded.size());
  const int pick = allowed(choices_.pick(count, text_, std::cref(beginning)));
  const std::string& chosen = alternatives[static_cast<std::size_t>(pick)];
  if (article) text_ += articleFor(chosen);
  tellOn(chosen);
  return pick;
}

std::string Telling::tellList(const std::string& rule, int most) {
  constexpr int fewest = 4;
  const std::vector<std::string>& alternatives = alternativesOf(rule);
  std::vector<int> told;
  const std::size_t before = text_.size();
  for (int left = most - fewest + 1;;) {
    text_ += ' ';
    told.push_back(expand(alternatives, told, false));
    if (static_cast<int>(told.size()) < fewest) continue;
    if (choices_.happens(1.0 / left--)) return text_.substr(before);
  }
}

std::string Telling::withValues(std::string_view name) const {
  const std::size_t dollar = name.find('$');
  if (dollar == std::string_view::npos) return std::string(name);
  return std::string(name.substr(0, dollar)) + (*this)[name.substr(dollar + 1)];
}

std::string_view Telling::articleFor(std::string_view next) {
  assert(!next.empty() && next[0] != '{' && "an article needs to know the word that follows");
  return std::string_view("aeiou").find(next[0]) == std::string_view::npos ? "a " : "an ";
}

const std::string* Telling::find(std::string_view variable) const {
  for (const auto& [name, value] : variables_)
    if (name == variable) return &value;
  return nullptr;
}

const std::string& Telling::operator[](std::string_view variable) const {
  const std::string* value = find(variable);
  assert(value && "no such variable");
  return *value;
}

void Telling::bind(std::string_view variable, std::string value) {
  for (auto& [name, old] : variables_)
    if (name == variable) {
      old = std::move(value);
      return;
    }
  variables_.emplace_back(variable, std::move(value));
}

}  // namespace glassformer
