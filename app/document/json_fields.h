#pragma once
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/text/utf8.h"

namespace glassformer {

// One list of fields serves both ways: fieldsOf(fields, value) names every field of a value, and brings what
// was read into its limits; a FieldWriter or a FieldReader does what is asked with each. Fields that are
// missing keep what they are; one of the wrong kind is an exception that names it.

using Json = nlohmann::ordered_json;

/// JSON strings are UTF-8; bytes that are not become numbers.
Json bytesToJson(const std::string& bytes);
std::string bytesFromJson(const Json& json);

class FieldWriter {
 public:
  template <typename T>
  void field(const char* name, const T& value) {
    json_[name] = value;
  }
  /// One of several choices, stored as its number.
  template <typename Choice>
  void choice(const char* name, const Choice& value, Choice /*last*/) {
    json_[name] = static_cast<int>(value);
  }
  /// The user's own bytes.
  void bytes(const char* name, const std::string& value) { json_[name] = bytesToJson(value); }
  /// Several values in one array.
  template <typename... T>
  void array(const char* name, const T&... values) {
    json_[name] = Json::array({values...});
  }
  /// A value with fields of its own.
  template <typename T>
  void part(const char* name, T& value) {
    FieldWriter own;
    fieldsOf(own, value);
    json_[name] = std::move(own.json_);
  }
  Json& json() { return json_; }

 private:
  Json json_ = Json::object();
};

/// Reads a value; one of the wrong kind, wherever inside, is an exception that names the field.
template <typename Read>
void readNamed(const char* name, const Json& value, Read read) {
  try {
    read(value);
  } catch (const Json::exception&) {
    throw std::runtime_error(std::string(name) + " is " + excerpt(value.dump(), 40));
  }
}

class FieldReader {
 public:
  explicit FieldReader(const Json& json) : json_(json) {}

  template <typename T>
  void field(const char* name, T& value) const {
    const auto found = json_.find(name);
    if (found != json_.end()) readNamed(name, *found, [&](const Json& json) { json.get_to(value); });
  }
  /// A number beyond the last choice becomes the last.
  template <typename Choice>
  void choice(const char* name, Choice& value, Choice last) const {
    int number = static_cast<int>(value);
    field(name, number);
    value = static_cast<Choice>(std::clamp(number, 0, static_cast<int>(last)));
  }
  void bytes(const char* name, std::string& value) const {
    const auto found = json_.find(name);
    if (found != json_.end()) readNamed(name, *found, [&](const Json& json) { value = bytesFromJson(json); });
  }
  template <typename First, typename... T>
  void array(const char* name, First& first, T&... others) const {
    std::array<First, 1 + sizeof...(T)> values{first, others...};
    field(name, values);
    std::size_t i = 0;
    first = values[i];
    ((others = values[++i]), ...);
  }
  /// Sessions of earlier days hold a number in place of some.
  template <typename T>
  void part(const char* name, T& value) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    if constexpr (requires { fromNumber(*found, value); })
      if (found->is_number())
        return readNamed(name, *found, [&](const Json& json) { fromNumber(json, value); });
    FieldReader own(*found);
    fieldsOf(own, value);
  }

 private:
  const Json& json_;
};

}  // namespace glassformer
