#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/snapshot.h"
#include "app/scene/tensor_ref.h"

namespace glassformer {

/// The vocabulary entries in a tensor of ids, where one of its dimensions counts positions. Of a difference
/// the ids are those of both texts: "cat", or "cat|dog" where they are not the same.
class EntryLabels {
 public:
  EntryLabels(const Snapshot& snapshot, std::string tensor, std::size_t positionDimension);
  std::string operator()(std::array<int, maxRank> index) const;

 private:
  int entryOf(const TensorSources& sources, std::array<int, maxRank> index, int position) const;

  std::string tensor_;
  std::size_t dimension_;
  std::shared_ptr<const std::vector<std::string>> vocabulary_;
  TensorSources own_, other_;
  Alignment alignment_;  // empty where there is one text
};

}  // namespace glassformer
