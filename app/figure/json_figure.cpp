#include "app/figure/json_figure.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/csv.h"

namespace glassformer {

std::string jsonTable(const NumberTable& table) {
  nlohmann::ordered_json json{{"tensor", table.name()}, {"meaning", table.meaning},
                              {"counts", table.corner}, {"columns", table.columns},
                              {"rows", table.rows},     {"values", {}}};
  const TensorView values = table.values.view();
  for (int row = 0; row < values.extent[0]; ++row) {
    auto& cells = json["values"].emplace_back(nlohmann::ordered_json::array());
    for (int column = 0; column < values.extent[1]; ++column) {
      const float value = values(row, column);
      // As few digits as tell it from its neighbours, not those of the double that it would become.
      cells.push_back(std::isfinite(value) ? nlohmann::ordered_json(std::stod(csvNumber(value))) : nullptr);
    }
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace glassformer
