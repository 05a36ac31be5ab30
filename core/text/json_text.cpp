#include "core/text/json_text.h"

#include <algorithm>

namespace glassformer {

namespace {

constexpr int deepest = 64;
constexpr const char* hint = "the file is damaged or of another kind; get it again";

std::string atLine(std::string_view name, std::string_view before) {
  return std::string(name) + ", line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
}

// Where brackets outside of texts nest too deep; npos when they nowhere do.
std::size_t tooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '\\') ++at;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest) return at;
  }
  return std::string_view::npos;
}

}  // namespace

Result<nlohmann::json> parseJson(std::string_view text, std::string_view name) {
  if (const std::size_t at = tooDeep(text); at != std::string_view::npos)
    return Error{"nested deeper than " + std::to_string(deepest) + " levels",
                 atLine(name, text.substr(0, at)), hint};
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& failure) {
    const auto* parsing = dynamic_cast<const nlohmann::json::parse_error*>(&failure);
    const std::size_t at = std::min(parsing ? parsing->byte : 0, text.size());
    return Error{"not valid JSON near byte " + std::to_string(at), atLine(name, text.substr(0, at)), hint};
  }
}

}  // namespace glassformer
