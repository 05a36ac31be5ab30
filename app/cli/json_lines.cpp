#include "app/cli/json_lines.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/engine/question.h"
#include "core/io/csv.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

std::string fieldOf(const Json& row, const char* pointer) {
  const Json::json_pointer at(pointer);
  if (!row.contains(at)) return "";
  const Json& value = row.at(at);
  return value.is_null()           ? ""
         : value.is_string()       ? value.get<std::string>()
         : value.is_number_float() ? csvNumber(value.get<float>())
                                   : value.dump();
}

}  // namespace

void printJson(const Json& told) {
  std::printf("%s\n", told.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void printTold(Printed printed, const Json& told, const Json& rows, std::span<const CsvColumn> columns,
               const Question& question) {
  if (printed == Printed::Json) {
    Json all = told;
    all["question"] = questionJson(question);
    printJson(all);
  }
  if (printed != Printed::Csv) return;
  std::fputs(questionComments(question).c_str(), stdout);
  printCsv(rows, columns);
}

void printCsv(const Json& rows, std::span<const CsvColumn> columns) {
  std::vector<std::string> record;
  for (const CsvColumn& column : columns) record.emplace_back(column.name);
  std::fputs(csvRecord(record).c_str(), stdout);
  for (const Json& row : rows) {
    record.clear();
    for (const CsvColumn& column : columns) record.push_back(fieldOf(row, column.pointer));
    std::fputs(csvRecord(record).c_str(), stdout);
  }
}

}  // namespace glassformer
