#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
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

/// What the values of an enumeration are called in a file, in their order.
using ChoiceNames = std::initializer_list<const char*>;

/// The place of the name that is written. Files of earlier days hold the place itself; one beyond the last
/// becomes the last. An exception where there is no such name.
inline int placeAmong(const Json& json, std::span<const char* const> names) {
  if (json.is_number()) return std::clamp(json.get<int>(), 0, static_cast<int>(names.size()) - 1);
  const auto written = json.get<std::string>();
  const auto found = std::find(names.begin(), names.end(), written);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  std::string known;
  for (const char* name : names) known += (known.empty() ? "" : ", ") + std::string(name);
  throw std::runtime_error("\"" + excerpt(written, 40) + "\" is none of: " + known);
}

class FieldWriter {
 public:
  template <typename T>
  void field(const char* name, const T& value) {
    json_[name] = value;
  }
  /// One of several choices.
  template <typename Choice>
  void choice(const char* name, const Choice& value, ChoiceNames names) {
    json_[name] = names.begin()[static_cast<std::size_t>(value)];
  }
  /// A number from 0, or one of the names: the last of them stands for -1, the one before for -2.
  void numberOrName(const char* name, int value, ChoiceNames names) {
    if (value >= 0)
      json_[name] = value;
    else
      json_[name] = names.end()[value];
  }
  void name(const char* name, const std::string& value) { json_[name] = value; }
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
  /// What only files of earlier days hold.
  template <typename Set>
  void earlier(const char* /*name*/, Set /*set*/) {}
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
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(std::string(name) + ": " + e.what());
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
  template <typename Choice>
  void choice(const char* name, Choice& value, ChoiceNames names) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    readNamed(name, *found, [&](const Json& json) {
      value = static_cast<Choice>(placeAmong(json, {names.begin(), names.size()}));
    });
  }
  void numberOrName(const char* name, int& value, ChoiceNames names) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    readNamed(name, *found, [&](const Json& json) {
      value = json.is_number()
                  ? json.get<int>()
                  : placeAmong(json, {names.begin(), names.size()}) - static_cast<int>(names.size());
    });
  }
  /// Files of earlier days hold a number in place of some.
  void name(const char* name, std::string& value) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    readNamed(name, *found, [&](const Json& json) {
      value = json.is_number_integer() ? std::to_string(json.get<int>()) : json.get<std::string>();
    });
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
  template <typename Set>
  void earlier(const char* name, Set set) const {
    const auto found = json_.find(name);
    if (found != json_.end()) readNamed(name, *found, set);
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
