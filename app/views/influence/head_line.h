#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// What the selected head does to the prediction, in one line: "L2H0: 7.69 direct · 11.02 centered · −10.40
/// when ablated · 0.97 on ·animal". Every number of it can be pointed at. The ablation is measured by
/// the chosen metric, which is named where it is not the logit.
void addHeadLine(InfluencePicture& picture, const Box& line, const MetricChoice& metric);

}  // namespace glassformer
