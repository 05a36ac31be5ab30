#pragma once
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/result.h"

namespace glassformer {

/// The fields of a JSON object from outside. Every field has to be asked for: done() refuses what nobody
/// read, so that nothing a file says is passed over. Keeps the first complaint. Heavy: include in .cpp files
/// only.
class JsonFields {
 public:
  /// `where`: file and place, "tokenizer.json, normalizer". The object outlives this.
  JsonFields(const nlohmann::json& object, std::string where);

  bool has(const char* field) const { return object_.contains(field); }
  /// Null where it is missing; to look does not read it.
  const nlohmann::json& peek(const char* field) const;
  /// Null where it is missing.
  const nlohmann::json& any(const char* field);
  /// Missing or null: as said.
  bool flag(const char* field, bool otherwise);
  std::string text(const char* field, const std::string& otherwise);
  int count(const char* field, int otherwise);
  /// The same of what somebody else looks into.
  const nlohmann::json& object(const char* field) { return resolved_[field] = any(field), any(field); }
  /// A list; an empty one where it is missing, which is refused.
  const nlohmann::json& list(const char* field);
  /// What was read, defaults filled in.
  const nlohmann::json& resolved() const { return resolved_; }
  /// A field that changes nothing here, whatever it says: read as `value`.
  void fix(const char* field, const nlohmann::json& value) { any(field), resolved_[field] = value; }
  /// Takes a field out of what was read: another says the same.
  void forget(const char* field) { resolved_.erase(field); }
  /// Whether somebody has asked for it.
  bool took(const char* field) const { return known_.contains(field); }
  /// Fields that change nothing here, whatever they say.
  void changeNothing(std::initializer_list<const char*> fields) {
    known_.insert(fields.begin(), fields.end());
  }

  /// Fields that are null change nothing, whatever they are called.
  void passOverNulls();

  std::string at(const std::string& field) const;
  void refuse(const std::string& field, std::string what, std::string hint = "");
  void keep(const Status& status) {
    if (status_ && !status) status_ = status;
  }
  /// The first complaint so far.
  const Status& status() const { return status_; }
  /// The first complaint; else an unknown field; else success.
  Status done() const;

 private:
  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string, std::less<>> known_;
  nlohmann::json resolved_ = nlohmann::json::object();
  Status status_ = success();
};

/// The beginning of a value, for messages.
std::string shownJson(const nlohmann::json& value);

/// A value as text, always the same for the same value.
std::string canonicalJson(const nlohmann::json& value);

}  // namespace glassformer
