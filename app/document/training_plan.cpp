#include "app/document/training_plan.h"

namespace glassformer {

std::string taskOfRun(std::string_view run) {
  run.remove_prefix(isRun(run) ? runPrefix.size() : 0);
  return std::string(run.substr(0, run.rfind('-')));
}

}  // namespace glassformer
