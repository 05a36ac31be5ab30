#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/decode/candidates.h"

namespace glassformer {

/// A candidate among those that a stage is given, the most probable first.
struct RankedCandidate {
  int rank = 0;            ///< how many are before it
  double probability = 0;  ///< its own
  double before = 0;       ///< of all that are before it
  double largest = 0;      ///< of the first one
  double entropy = 0;      ///< of all of them, in nats
};

/// One stage of narrowing the candidates down, and the number that it is told. Panels, command line, session
/// and help all read it here.
struct SamplingStage {
  enum class Number {
    Positive,
    Count,
    Share,
    Real
  };  ///< above 0; 0, 1, 2 ...; from 0 to 1; any that is finite

  std::string_view id;       ///< "top-p": in sessions, and the option of the command line
  std::string_view name;     ///< "Top-p"
  std::string_view meaning;  ///< with the equation
  std::string_view words;    ///< by which else it is looked for
  Number number = Number::Share;
  float off = 0;                      ///< with this number it changes nothing, and so it is at first
  float usual = 0;                    ///< what it is switched on with
  float low = 0, high = 1, step = 1;  ///< what the window offers
  int decimals = 0;
  bool atHand = false;  ///< the window's timeline has it also while it is off
  void (*apply)(Candidates&, float number) = nullptr;
  /// Why it takes a candidate out, in numbers: "rank 5, k = 3"; null: it takes none out.
  std::string (*reason)(const RankedCandidate&, float number) = nullptr;
};

/// Whether a stage may be told this.
bool accepts(const SamplingStage& stage, float number);

/// What stages are told, by their ids; those that are not there are off. And the order in which they act.
class StageNumbers {
 public:
  StageNumbers() = default;
  StageNumbers(std::initializer_list<std::pair<const std::string, float>> numbers) : numbers_(numbers) {}

  float of(const SamplingStage& stage) const {
    const auto found = numbers_.find(stage.id);
    return found == numbers_.end() ? stage.off : found->second;
  }
  void set(const SamplingStage& stage, float number) {
    if (number == stage.off)
      numbers_.erase(std::string(stage.id));
    else
      numbers_[std::string(stage.id)] = number;
  }
  /// Ids in the order in which they were put; empty: as samplingStages() has them.
  const std::vector<std::string>& order() const { return order_; }
  void setOrder(std::vector<std::string> ids) { order_ = std::move(ids); }
  bool operator==(const StageNumbers&) const = default;

 private:
  std::map<std::string, float, std::less<>> numbers_;
  std::vector<std::string> order_;
};

}  // namespace glassformer
