#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Every distance up to k has a learned key vector that the query is compared with, a = attn.relative [2k +
/// 1, K], shared by the heads (Shaw et al. 2018, eq. 4). Their second set of vectors, added to the values, is
/// left out: by their own table 3 it adds nothing to the one here.
const PositionalEncoding& relativePositions();

}  // namespace glassformer
