#pragma once
#include <string>
#include <tuple>
#include <vector>

#include "core/model/point_names.h"

namespace glassformer {

/// One attention head of a model, counted from 0.
struct HeadId {
  int layer = 0, head = 0;
  AttentionSite site = AttentionSite::Self;
  bool operator==(const HeadId&) const = default;
  bool operator<(const HeadId& other) const {
    return std::tie(site, layer, head) < std::tie(other.site, other.layer, other.head);
  }
};

/// "L2H0", as papers write it; in an encoder-decoder "dec.L2H0", "enc.L2H0", "cross.L2H0".
std::string nameOf(HeadId head);
/// Several heads in as few words: "L0H1+L2H0", "L1H0-3" for neighbours, "L0-3H0-3" for whole layers. The
/// heads are sorted and each is there once.
std::string nameOf(const std::vector<HeadId>& heads);

}  // namespace glassformer
