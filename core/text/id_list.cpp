#include "core/text/id_list.h"

#include <charconv>

#include "core/text/utf8.h"

namespace glassformer {

Result<std::vector<int>> parsedTokens(const std::string& list, const std::string& where) {
  std::vector<int> ids;
  const char *at = list.data(), *const end = at + list.size();
  for (bool more = true; more; ++at) {
    int id = 0;
    const auto [rest, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (rest != end && *rest != ','))
      return Error{inQuotes(list) + " has no id at index " + std::to_string(ids.size()), where,
                   "whole numbers, separated by commas, such as 12,7,300"};
    ids.push_back(id);
    more = rest != end;
    at = rest;
  }
  return ids;
}

std::string joined(const std::vector<int>& tokens) {
  std::string text;
  for (const int t : tokens) text += (text.empty() ? "" : ",") + std::to_string(t);
  return text;
}

}  // namespace glassformer
