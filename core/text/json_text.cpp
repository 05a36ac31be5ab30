#include "core/text/json_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace glassformer {

namespace {

constexpr std::size_t deepestJson = 64;
constexpr std::size_t mostOrderedMembers = 4096;
constexpr const char* jsonHint = "the file is damaged or of another kind; get it again";

std::string jsonLine(std::string_view name, std::string_view before) {
  return std::string(name) + (name.empty() ? "" : ", ") + "line " +
         std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
}

/// What is wrong with a text before it is parsed, and at which byte.
struct JsonExcess {
  std::string what;
  std::size_t at = 0;
};

// Brackets and members outside of quoted texts.
std::optional<JsonExcess> excessOf(std::string_view text, std::size_t mostMembers) {
  std::array<std::size_t, deepestJson + 1> members{};  // of the objects that are open
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '\\') ++at;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') {
      if (depth == deepestJson)
        return JsonExcess{"nested deeper than " + std::to_string(deepestJson) + " levels", at};
      members[++depth] = 0;
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == ':' && ++members[depth] > mostMembers)
      return JsonExcess{"an object with more than " + std::to_string(mostMembers) + " members", at};
  }
  return std::nullopt;
}

}  // namespace

Error jsonError(std::string_view text, std::size_t byte, std::string_view name) {
  const std::size_t at = std::min(byte, text.size());
  for (const std::string_view word : {"Infinity", "NaN"})  // as Python writes them
    if (text.substr(at > word.size() ? at - word.size() : 0, 2 * word.size()).find(word) != text.npos)
      return {std::string(word) + " is not a JSON number", jsonLine(name, text.substr(0, at)),
              "write null, or save the file again without it"};
  return {"not valid JSON near byte " + std::to_string(at), jsonLine(name, text.substr(0, at)), jsonHint};
}

namespace {

template <typename Json>
Result<Json> parsedJson(std::string_view text, std::string_view name, std::size_t mostMembers) {
  if (text.size() > longestJson)
    return Error{"has " + std::to_string(text.size()) + " bytes of JSON, at most " +
                     std::to_string(longestJson) + " are read",
                 std::string(name), jsonHint};
  if (const auto excess = excessOf(text, mostMembers))
    return Error{excess->what, jsonLine(name, text.substr(0, excess->at)), jsonHint};
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error& failure) {
    return jsonError(text, failure.byte, name);
  } catch (const typename Json::exception&) {
    return Error{"a number that is too large", std::string(name), jsonHint};
  }
}

}  // namespace

Result<nlohmann::json> parseJson(std::string_view text, std::string_view name) {
  return parsedJson<nlohmann::json>(text, name, std::numeric_limits<std::size_t>::max());
}

Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text, std::string_view name) {
  return parsedJson<nlohmann::ordered_json>(text, name, mostOrderedMembers);
}

}  // namespace glassformer
