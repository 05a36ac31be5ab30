#pragma once
#include <memory>

#include "app/engine/job.h"
#include "core/lens/head_circuits.h"

namespace glassformer {

/// Of which head the circuits are asked, among the tokens of which texts.
struct HeadCircuitsKey {
  CorpusKey texts;
  HeadId head;
  bool operator==(const HeadCircuitsKey&) const = default;
};

/// What the weights of the selected head say (see core/lens/head_circuits.h) of the tokens that occur in the
/// texts that are searched, for others were hardly trained; where there are no texts of the first of the
/// vocabulary.
class HeadCircuits final : public WholeJob<HeadCircuitsKey> {
 public:
  static constexpr int tokensWithoutTexts = 4096;
  static constexpr const char* doing = "reading the weights of a head";

  explicit HeadCircuits(int /*threads*/) {}

 private:
  std::optional<HeadCircuitsKey> key(const JobSide& side) const override;
  std::string missing(const JobSide& side) const override;
  Result measureAll(const HeadCircuitsKey& key, const JobSide& side, const StartJob& begin) override;
};

}  // namespace glassformer
