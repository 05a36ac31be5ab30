#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// What the selected head does to the prediction, in one line: "L2H0: 7.69 direct · 11.02 centered · −10.40
/// when ablated · 0.97 on ·animal". Every number of it can be pointed at. `ablated`: the tensor of the
/// ablation.
void addHeadLine(InfluencePicture& picture, const Box& line, const std::string& ablated);

}  // namespace glassformer
