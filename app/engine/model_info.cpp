#include "app/engine/model_info.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/io/gguf_model.h"
#include "core/io/stored_model.h"

namespace glassformer {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t configLimit = 1 << 20, cardLimit = 1 << 20;  // bytes

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  // Cards from elsewhere begin with their tags between two lines of dashes.
  if (!lines.empty() && lines.front() == "---")
    lines.erase(lines.begin(), std::find(lines.begin() + 1, lines.end(), "---"));
  return lines;
}

bool isProse(const std::string& line) {
  return !line.empty() && line.find_first_of("#|<!-`*[=") != 0 && line.find_first_not_of(" \t") == 0;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The marks of code and of emphasis mean nothing where text is plain.
std::string withoutMarks(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto isGap = [&](std::size_t at) { return at >= text.size() || text[at] == ' '; };
    const bool emphasis = text[i] == '*' && !(isGap(i - 1) && isGap(i + 1));  // not "2 * 3"
    if (text[i] != '`' && !emphasis) plain += text[i];
  }
  return plain;
}

std::string firstParagraph(const std::vector<std::string>& lines) {
  std::string paragraph;
  for (const std::string& line : lines) {
    if (isProse(line))
      paragraph += (paragraph.empty() ? "" : " ") + line;
    else if (!paragraph.empty())
      break;
  }
  return withoutMarks(paragraph);
}

// "| a | b |" as {"a", "b"}; empty where there are other than two columns.
std::vector<std::string> cellsOf(const std::string& row) {
  std::vector<std::string> cells;
  for (std::size_t at = row.find('|'); at != std::string::npos;) {
    const std::size_t end = row.find('|', at + 1);
    if (end == std::string::npos) break;
    cells.push_back(withoutMarks(trimmed(row.substr(at + 1, end - at - 1))));
    at = end;
  }
  return cells.size() == 2 ? cells : std::vector<std::string>{};
}

std::vector<std::pair<std::string, std::string>> measuredTable(const std::vector<std::string>& lines) {
  std::vector<std::pair<std::string, std::string>> rows;
  auto line = std::ranges::find_if(lines, [](const std::string& l) {
    return l.starts_with('#') && l.find(" Measured") != std::string::npos;
  });
  if (line == lines.end()) return rows;
  line = std::find_if(line, lines.end(), [](const std::string& l) { return l.starts_with('|'); });
  for (; line != lines.end() && line->starts_with('|'); ++line) {
    const auto cells = cellsOf(*line);
    if (!cells.empty() && !cells[0].empty() && !cells[0].starts_with('-'))
      rows.emplace_back(cells[0], cells[1]);
  }
  return rows;
}

// Of one file, or of several.
std::uintmax_t sizeOfAll(const fs::path& folder, const char* extension) {
  std::uintmax_t all = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (endingOf(entry.path()) == extension)
      if (const std::uintmax_t size = entry.file_size(error); !error) all += size;
  return all;
}

// The types of matrices, those of most numbers first.
std::string typesOf(const StoredModel& stored) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [tensor, file] : stored.all())
    if (tensor->shape.size() > 1) counts[tensor->type] += static_cast<std::int64_t>(tensor->size);
  std::vector<std::pair<std::string, std::int64_t>> types(counts.begin(), counts.end());
  std::ranges::stable_sort(types, std::greater{}, &std::pair<std::string, std::int64_t>::second);
  std::string words;
  for (std::size_t i = 0; i < types.size(); ++i)
    words += (i == 0 ? "" : i + 1 < types.size() ? ", " : " and ") + types[i].first;
  const bool areOthers = counts.size() > counts.count("F32");
  return words + (areOthers ? ", computed as F32" : "");
}

// Of a folder, or of a GGUF file.
std::string typesIn(const fs::path& model) {
  if (fs::is_directory(model)) {
    const auto stored = StoredModel::open(model);
    return stored ? typesOf(*stored) : "";
  }
  auto file = openGguf(model);
  return file ? typesOf(StoredModel::ofGguf(model.string(), std::move(file->tensors))) : "";
}

Result<FamilyConfig> familyIn(const fs::path& given) {
  const auto lone =
      fs::is_directory(given) && !fs::exists(given / "config.json") ? ggufIn(given) : std::set<std::string>();
  const fs::path model = lone.size() == 1 ? given / *lone.begin() : given;
  if (!fs::is_directory(model)) {
    const auto file = openGguf(model);
    return file ? familyOf(*file, model.string()) : file.error();
  }
  const Result<std::string> json = readTextFile(model / "config.json", configLimit);
  return json ? readFamilyConfig(*json) : json.error();
}

}  // namespace

ModelInfo modelInfo(std::string model, const fs::path& folder) {
  ModelInfo info{.model = std::move(model), .name = folder.filename().string(), .folder = folder};
  info.size = sizeOfAll(folder, ".safetensors");
  if (info.size == 0) info.size = sizeOfAll(folder, ".gguf");
  if (std::error_code error; fs::is_regular_file(folder, error)) info.size = fs::file_size(folder, error);
  info.types = typesIn(folder);
  const Result<FamilyConfig> family = familyIn(folder);
  if (family)
    info.config = family->config;
  else
    info.error = family.error().message();
  if (const Result<std::string> card = readTextFile(folder / "README.md", cardLimit)) {
    const auto lines = linesOf(*card);
    info.purpose = firstParagraph(lines);
    info.measured = measuredTable(lines);
  }
  return info;
}

}  // namespace glassformer
