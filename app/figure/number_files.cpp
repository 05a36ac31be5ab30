#include "app/figure/number_files.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/archives/archive.h"
#include "core/io/csv.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/text/json_text.h"

namespace glassformer {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *recipeKey = "recipe", *recipeComment = "# recipe: ", *questionFile = "question.json";
constexpr std::size_t mostQuestion = 64 << 20;

Json questionWith(const AskedNumbers& asked) {
  Json question = questionJson(asked.question);
  if (auto recipe = parseOrderedJson(asked.recipe, "")) question[recipeKey] = *recipe;
  return question;
}

std::string textOf(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The recipe's one line in the file, whatever kind of file that is; empty where there is none.
std::string recipeInNumbers(const std::string& content) {
  if (const auto comment = content.find(recipeComment); comment != std::string::npos) {
    const auto begin = comment + std::string_view(recipeComment).size();
    return content.substr(begin, content.find_first_of("\r\n", begin) - begin);
  }
  const auto json = parseOrderedJson(content, "");
  if (!json || !json->is_object()) return "";
  const Json& question = json->contains("question") ? (*json)["question"] : *json;
  return question.is_object() && question.contains(recipeKey) ? question[recipeKey].dump(-1, ' ', true) : "";
}

}  // namespace

std::string csvTable(const NumberTable& table, const AskedNumbers& asked) {
  std::vector<std::string> record{table.corner};
  record.insert(record.end(), table.columns.begin(), table.columns.end());
  std::string text = questionComments(asked.question);
  if (!asked.recipe.empty()) text += recipeComment + asked.recipe + "\n";
  text += csvRecord(record);
  const TensorView values = table.values.view();
  for (int row = 0; row < values.extent[0]; ++row) {
    record = {table.rows[static_cast<std::size_t>(row)]};
    for (int column = 0; column < values.extent[1]; ++column)
      record.push_back(csvNumber(values(row, column)));
    text += csvRecord(record);
  }
  return text;
}

std::string jsonTable(const NumberTable& table, const AskedNumbers& asked) {
  Json json{{"tensor", table.name()},   {"meaning", table.meaning}, {"counts", table.corner},
            {"columns", table.columns}, {"rows", table.rows},       {"values", {}}};
  const TensorView values = table.values.view();
  for (int row = 0; row < values.extent[0]; ++row) {
    auto& cells = json["values"].emplace_back(Json::array());
    for (int column = 0; column < values.extent[1]; ++column) {
      const float value = values(row, column);
      // As few digits as tell it from its neighbours, not those of the double that it would become.
      cells.push_back(std::isfinite(value) ? Json(std::stod(csvNumber(value))) : nullptr);
    }
  }
  json["question"] = questionWith(asked);
  return textOf(json);
}

std::string npyTable(const NumberTable& table, const AskedNumbers&) { return npyBytes(table.values.view()); }

Status writeNpz(const std::filesystem::path& file, std::span<const NumberTable> tables,
                const AskedNumbers& asked) {
  std::vector<FileToArchive> files;
  for (const NumberTable& table : tables)
    files.push_back({table.name() + ".npy", {}, npyTable(table, asked)});
  files.push_back({questionFile, {}, textOf(questionWith(asked), 2)});
  return writeArchive(file, files);
}

Result<FigureRecipe> recipeOfFile(const std::filesystem::path& file) {
  Result<std::string> content = readTextFile(file);
  if (!content) return content.error();
  if (content->starts_with("PK")) {
    const Result<Archive> archive = Archive::open(file);
    if (!archive) return archive.error();
    content = archive->text(questionFile, mostQuestion);
    if (!content) return Error{"has no question for its numbers", file.string(), ""};
  }
  const std::string recipe = recipeInNumbers(*content);
  if (recipe.empty()) return recipeIn(file);
  Result<FigureRecipe> made = recipeFromJson(recipe);
  if (!made)
    return Error{"the question of these numbers cannot be read: " + made.error().message(), file.string(),
                 ""};
  return made;
}

}  // namespace glassformer
