#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace glassformer {

struct Question;

/// How a command prints what it has to say.
enum class Printed { Words, Json, Csv };
inline Printed printedAs(bool json, bool csv) {
  return json ? Printed::Json : csv ? Printed::Csv : Printed::Words;
}

/// Prints what a command has to say as JSON; of text that is no UTF-8 the rest.
void printJson(const nlohmann::json& told);

/// A column of such a table: what it is called, and where its values stand in each row, as "/loss/mean".
struct CsvColumn {
  const char* name;
  const char* pointer;
};
/// Prints an array of objects as CSV, one record for each; where one has no such value, nothing.
void printCsv(const nlohmann::json& rows, std::span<const CsvColumn> columns);
/// The whole as JSON, or its rows as CSV, with the question that they answer; no words.
void printTold(Printed printed, const nlohmann::json& told, const nlohmann::json& rows,
               std::span<const CsvColumn> columns, const Question& question);

}  // namespace glassformer
