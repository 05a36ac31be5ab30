#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/random.h"

namespace glassformer {

/// Where a text's random choices come from, and the sum of what they cost. A generated text can so be
/// weighed: a model that knew the grammar perfectly would lose exactly -logProbability() nats on it.
class Choices {
 public:
  virtual ~Choices() = default;

  int pick(int count);  ///< 0 to count - 1, all equally likely
  /// The same where it is known what each alternative would write first behind `text`; with that a search can
  /// leave out what does not fit.
  using Beginning = std::function<std::string(int alternative)>;
  int pick(int count, const std::string& text, const Beginning& beginning);
  bool happens(double probability);                          ///< true with that probability
  double logProbability() const { return logProbability_; }  ///< nats, of all choices so far

 protected:
  virtual int drawUniform(int count) = 0;           ///< called with count > 1 only
  virtual bool drawChance(double probability) = 0;  ///< called strictly between 0 and 1 only
  virtual int drawText(int count, const std::string& text, const Beginning& beginning);

 private:
  double logProbability_ = 0;
};

/// Choices made at random.
class RandomChoices : public Choices {
 public:
  explicit RandomChoices(Random& random) : random_(random) {}

 private:
  int drawUniform(int count) override { return random_.below(count); }
  bool drawChance(double probability) override { return random_.uniform01() < probability; }
  Random& random_;
};

/// A rule's name and its alternatives, all equally likely. An alternative is text with slots:
///   {rule}          one of the rule's alternatives
///   {x=rule}        the same, and x stands for it from now on
///   {x}             what x stands for
///   {x=rule-y-z}    an alternative that neither y nor z stands for
///   {rule/$x}       the rule whose name ends in what x stands for: "obstacle/$verb" is "obstacle/climb"
///   {a ...}         any of these with "a" or "an" in front
/// No rule lists an alternative twice. A variable hides a rule of the same name.
using Rules = std::unordered_map<std::string, std::vector<std::string>>;

/// Writes one text from left to right. Every choice is made at the place where it shows: a choice's
/// alternatives differ in the text that follows, which keeps derivations unique.
class Telling {
 public:
  Telling(const Rules& rules, Choices& choices) : rules_(rules), choices_(choices) {}

  /// Fills the slots and appends the result; with a space in front unless the text is empty or the pattern
  /// starts with punctuation.
  void tell(std::string_view pattern);
  /// The same without the space.
  void tellOn(std::string_view pattern);
  /// Appends 4 to `most` different alternatives of a rule, each with a space in front, and returns what was
  /// appended. Every length is equally likely; whether to stop is chosen after each word.
  std::string tellList(const std::string& rule, int most);

  Choices& choices() const { return choices_; }
  const std::string& text() const { return text_; }
  const std::string& operator[](std::string_view variable) const;
  bool has(std::string_view variable) const { return find(variable) != nullptr; }
  void bind(std::string_view variable, std::string value);

 private:
  void fillSlot(std::string_view slot);
  const std::vector<std::string>& alternativesOf(const std::string& rule) const;
  /// Writes one of the alternatives that are not excluded, and returns which.
  int expand(const std::vector<std::string>& alternatives, std::vector<int> excluded, bool article);
  std::string withValues(std::string_view name) const;
  static std::string_view articleFor(std::string_view next);
  const std::string* find(std::string_view variable) const;

  const Rules& rules_;
  Choices& choices_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> variables_;
};

}  // namespace glassformer
