#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/text/utf8.h"

namespace glassformer {

// One list of fields serves both ways: fieldsOf(fields, value) names every field of a value, and brings what
// was read into its limits; a FieldWriter or a FieldReader does what is asked with each. Fields that are
// missing keep what they are; one of the wrong kind is an exception that names it.

using Json = nlohmann::ordered_json;

/// JSON strings are UTF-8; bytes that are not become numbers.
Json bytesToJson(const std::string& bytes);
std::string bytesFromJson(const Json& json);

/// Reads a value. Whole numbers, also those in lists, are refused where an int, or what counts from 0, cannot
/// hold them: the library would convert them all the same, which is undefined.
inline void readInto(const Json& json, int& value);
inline void readInto(const Json& json, std::uint64_t& value);
template <typename T>
void readInto(const Json& json, std::vector<T>& values);
template <typename T, std::size_t N>
void readInto(const Json& json, std::array<T, N>& values);
template <typename T>
void readInto(const Json& json, std::map<int, T>& values);
template <typename T>
void readInto(const Json& json, T& value) {
  json.get_to(value);
}

inline void readInto(const Json& json, int& value) {
  const auto number = json.get<double>();
  if (!(std::abs(number) <= std::numeric_limits<int>::max()))
    throw std::runtime_error(excerpt(json.dump(), 40) + " is too large");
  value = static_cast<int>(number);
}
inline void readInto(const Json& json, std::uint64_t& value) {
  const auto number = json.get<double>();
  constexpr double end = 0x1p64;  // which what is nearly as large is rounded to
  if (!json.is_number_unsigned() && !(number >= 0 && number < end))
    throw std::runtime_error(excerpt(json.dump(), 40) + (number < 0 ? " is below 0" : " is too large"));
  value = json.get<std::uint64_t>();
}
template <typename T>
void readInto(const Json& json, std::vector<T>& values) {
  values.assign(json.get<Json::array_t>().size(), {});
  for (std::size_t i = 0; i < values.size(); ++i) readInto(json[i], values[i]);
}
template <typename T, std::size_t N>
void readInto(const Json& json, std::array<T, N>& values) {
  for (std::size_t i = 0; i < N; ++i) readInto(json.at(i), values[i]);
}
/// A list of pairs.
template <typename T>
void readInto(const Json& json, std::map<int, T>& values) {
  values.clear();
  for (const Json& pair : json.get<Json::array_t>()) {
    int key = 0;
    readInto(pair.at(0), key);
    readInto(pair.at(1), values[key]);
  }
}

template <typename T>
T readAs(const Json& json) {
  T value{};
  readInto(json, value);
  return value;
}

/// What the values of an enumeration are called in a file, in their order.
using ChoiceNames = std::initializer_list<const char*>;

/// The place of the name that is written. Files of earlier days hold the place itself; one beyond the last
/// becomes the last. An exception where there is no such name.
inline int placeAmong(const Json& json, std::span<const char* const> names) {
  if (json.is_number()) return std::clamp(readAs<int>(json), 0, static_cast<int>(names.size()) - 1);
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
  /// The same, where there is one.
  template <typename T>
  void optionalPart(const char* name, std::optional<T>& value) {
    if (value) part(name, *value);
  }
  /// A list of such values.
  template <typename T>
  void parts(const char* name, std::vector<T>& values) {
    Json& list = json_[name] = Json::array();
    for (T& value : values) {
      FieldWriter own;
      fieldsOf(own, value);
      list.push_back(std::move(own.json_));
    }
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
    if (found != json_.end()) readNamed(name, *found, [&](const Json& json) { readInto(json, value); });
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
                  ? readAs<int>(json)
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
  template <typename T>
  void optionalPart(const char* name, std::optional<T>& value) const {
    if (json_.contains(name)) part(name, value.emplace());
  }
  template <typename T>
  void parts(const char* name, std::vector<T>& values) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    readNamed(name, *found, [&](const Json& list) {
      values.clear();
      for (const Json& each : list.get<Json::array_t>()) {
        FieldReader own(each);
        fieldsOf(own, values.emplace_back());
      }
    });
  }

 private:
  const Json& json_;
};

}  // namespace glassformer
