#pragma once
#include <string>
#include <string_view>

#include "app/document/training_plan.h"

namespace glassformer {

/// A plan as it is kept beside its run: readable JSON.
std::string toJsonText(const TrainingPlan& plan);
/// `name` says whose it is in messages.
Result<TrainingPlan> planFromJson(std::string_view text, const std::string& name);

}  // namespace glassformer
