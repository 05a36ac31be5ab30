#include "app/drawing/picture_number.h"

#include "app/document/lookup_settings.h"
#include "app/document/view_commands.h"

namespace glassformer {

PictureNumber temperatureNumber(const ViewSettings& settings, const char* choice) {
  return {.name = "Temperature",
          .tip = "τ of softmax(s / τ): 1 is the head as it is, 0 is hard attention",
          .value = chosenTemperature(settings, choice),
          .high = hottestLookup,
          .step = 0.1f,
          .decimals = 1,
          .atLow = "hard",
          .set = [choice](float, const std::string& written, const std::string&) {
            return commands::changeSettings([=](ViewSettings& s) { s.choices[choice] = written; });
          }};
}

}  // namespace glassformer
