#include "app/document/training_plan_json.h"

#include "app/document/training_plan_fields.h"
#include "core/text/json_text.h"

namespace glassformer {

std::string toJsonText(const TrainingPlan& plan) {
  TrainingPlan written = plan;
  FieldWriter fields;
  fieldsOf(fields, written);
  return fields.json().dump(2) + "\n";
}

Result<TrainingPlan> planFromJson(std::string_view text, const std::string& name) try {
  const auto json = parseOrderedJson(text, name);
  if (!json) return json.error();
  TrainingPlan plan;
  FieldReader fields(*json);
  fieldsOf(fields, plan);
  return plan;
} catch (const std::exception& e) {
  return Error{e.what(), name, "the run cannot resume without it"};
}

}  // namespace glassformer
