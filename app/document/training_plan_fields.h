#pragma once
#include "app/document/json_fields.h"
#include "app/document/training_plan.h"

namespace glassformer {

// How a plan stands in the session file, and beside the run itself.

inline void to_json(Json& json, const ModelChange& change) {
  json = Json::array({change.field, change.value});
}
inline void from_json(const Json& json, ModelChange& change) {
  change = {json.at(0).get<std::string>(), json.at(1).get<std::string>()};
}

template <typename Fields>
void fieldsOf(Fields& fields, TrainingPlan& p) {
  fields.field("task", p.task);
  fields.bytes("file", p.file);
  fields.field("characters", p.characters);
  fields.field("keepsModel", p.keepsModel);
  fields.field("seed", p.seed);
  fields.field("steps", p.steps);
  fields.field("changes", p.changes);
  fields.field("schedule", p.schedule);
  fields.field("numbers", p.numbers);
  fields.field("from", p.from);
  fields.field("two", p.two);
  fields.field("otherChanges", p.otherChanges);
  fields.field("otherSchedule", p.otherSchedule);
  fields.field("otherNumbers", p.otherNumbers);
  p.steps = std::clamp(p.steps, 0, 10'000'000);
}

}  // namespace glassformer
