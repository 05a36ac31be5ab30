#include "app/document/opening.h"

#include <algorithm>
#include <sstream>

#include "app/document/model_commands.h"
#include "app/document/session.h"
#include "app/document/text_commands.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

// Far more than any model here reads; a text that long is a mistake.
constexpr std::size_t mostText = std::size_t{1} << 20;

Result<Command> openModel(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / "config.json", error) && !isModelDirectory(folder))
    return Error{"not a model folder: config.json is missing", folder.string(),
                 "open the folder that holds config.json, tokenizer.json and the weights, or a GGUF file"};
  return commands::setModel(fs::absolute(folder).string());
}

Result<Command> openSessionFile(const fs::path& file, const std::string& json) {
  Result<Workspace> opened = workspaceFromJson(json);
  if (!opened)
    return Error{"this session cannot be read: " + opened.error().message(), file.string(),
                 "your open work is unchanged"};
  return commands::openSession(*opened);
}

Result<Command> openText(const fs::path& file, std::string text) {
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    return Error{"not a text: byte " + std::to_string(nul) + " is NUL", file.string(),
                 "open a text, a session or a model folder"};
  std::erase(text, '\r');
  while (text.ends_with('\n')) text.pop_back();
  return commands::newTab(std::move(text));
}

// Also where it is damaged, as far as that can be told: its fields stand in the order of their names.
bool looksLikeSession(const fs::path& file, const std::string& text) {
  const auto has = [&](const char* words) { return text.find(words) != std::string::npos; };
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool isObject = begin != std::string::npos && text[begin] == '{', isJson = endingOf(file) == ".json";
  return has("\"glassformer session\"") ? isObject || isJson : isObject && isJson && has("\"appearance\"");
}

}  // namespace

Command commands::openSession(const Workspace& session) {
  return {[opened = session.document()](Workspace& workspace) { workspace.document() = opened; },
          "opening a session", ""};
}

Result<Command> commandToOpen(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return openModel(path);
  // A GGUF file says by itself what no config.json beside it says.
  const bool isWhole = endingOf(path) == ".gguf" && !fs::exists(path.parent_path() / "config.json", error);
  if (endingOf(path) == ".safetensors" || endingOf(path) == ".gguf")
    return openModel(isWhole ? path : path.parent_path());
  Result<std::string> text = readTextFile(path, mostText);
  if (!text) return text.error();
  return looksLikeSession(path, *text) ? openSessionFile(path, *text) : openText(path, std::move(*text));
}

RecentFiles::RecentFiles(fs::path list) : list_(std::move(list)) { read(); }

void RecentFiles::read() {
  if (list_.empty()) return;
  const Result<std::string> text = readTextFile(list_, mostText);
  if (!text) return;
  paths_.clear();
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line) && paths_.size() < limit;)
    if (!line.empty()) paths_.emplace_back(line);
}

void RecentFiles::add(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  read();  // another window may have added to it
  std::erase(paths_, whole);
  paths_.insert(paths_.begin(), whole);
  if (paths_.size() > limit) paths_.resize(limit);
  if (list_.empty()) return;
  std::string text;
  for (const fs::path& each : paths_) text += each.string() + "\n";
  std::error_code error;
  fs::create_directories(list_.parent_path(), error);
  static_cast<void>(writeFile(list_, text));
}

}  // namespace glassformer
