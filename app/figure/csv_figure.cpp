#include "app/figure/csv_figure.h"

#include "core/io/csv.h"

namespace glassformer {

std::string csvTable(const NumberTable& table) {
  std::vector<std::string> record{table.corner};
  record.insert(record.end(), table.columns.begin(), table.columns.end());
  std::string text = csvRecord(record);
  const TensorView values = table.values.view();
  for (int row = 0; row < values.extent[0]; ++row) {
    record = {table.rows[static_cast<std::size_t>(row)]};
    for (int column = 0; column < values.extent[1]; ++column)
      record.push_back(csvNumber(values(row, column)));
    text += csvRecord(record);
  }
  return text;
}

}  // namespace glassformer
