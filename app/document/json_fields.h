#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace glassformer {

/// Reads json[field] into `value` where it is there; throws naming the field where it is of the wrong kind.
template <typename T>
void readField(const nlohmann::ordered_json& json, const char* field, T& value) {
  const auto found = json.find(field);
  if (found == json.end()) return;
  try {
    found->get_to(value);
  } catch (const nlohmann::ordered_json::exception&) {
    throw std::runtime_error(std::string(field) + " is " + found->dump().substr(0, 40));
  }
}

/// The same for one of several choices, stored as its number; a number beyond the last becomes the last.
template <typename Choice>
void readChoice(const nlohmann::ordered_json& json, const char* field, Choice& choice, Choice last) {
  int number = static_cast<int>(choice);
  readField(json, field, number);
  choice = static_cast<Choice>(std::clamp(number, 0, static_cast<int>(last)));
}

}  // namespace glassformer
