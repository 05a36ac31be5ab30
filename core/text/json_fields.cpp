#include "core/text/json_fields.h"

#include "core/text/utf8.h"

namespace glassformer {
namespace {

// Of each kind an empty value, to refer to where a field is missing.
const nlohmann::json& emptyJson(nlohmann::json::value_t type) {
  static const nlohmann::json nothing, object = nlohmann::json::object(), list = nlohmann::json::array();
  return type == nlohmann::json::value_t::object  ? object
         : type == nlohmann::json::value_t::array ? list
                                                  : nothing;
}

}  // namespace

std::string canonicalJson(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string shownJson(const nlohmann::json& value) {
  return excerpt(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), 40);
}

JsonFields::JsonFields(const nlohmann::json& object, std::string where)
    : object_(object.is_object() ? object : emptyJson(nlohmann::json::value_t::object)),
      where_(std::move(where)) {
  if (!object.is_object()) status_ = Error{"is " + shownJson(object) + ", not an object", where_, ""};
}

std::string JsonFields::at(const std::string& field) const {
  const bool isInside = !where_.ends_with(".json") && where_.find(", ") != std::string::npos;
  return where_.empty() ? field : where_ + (isInside ? "." : ", ") + field;
}

void JsonFields::refuse(const std::string& field, std::string what, std::string hint) {
  if (status_) status_ = Error{std::move(what), field.empty() ? where_ : at(field), std::move(hint)};
}

const nlohmann::json& JsonFields::peek(const char* field) const {
  const auto found = object_.find(field);
  return found == object_.end() ? emptyJson(nlohmann::json::value_t::null) : *found;
}

const nlohmann::json& JsonFields::any(const char* field) {
  known_.insert(field);
  return peek(field);
}

void JsonFields::passOverNulls() {
  for (const auto& [field, value] : object_.items())
    if (value.is_null()) known_.insert(field);
}

bool JsonFields::flag(const char* field, bool otherwise) {
  const nlohmann::json& value = any(field);
  resolved_[field] = value.is_null() ? nlohmann::json(otherwise) : value;
  if (value.is_null() || value.is_boolean()) return value.is_null() ? otherwise : value.get<bool>();
  refuse(field, "is " + shownJson(value) + ", neither true nor false");
  return otherwise;
}

std::string JsonFields::text(const char* field, const std::string& otherwise) {
  const nlohmann::json& value = any(field);
  resolved_[field] = value.is_null() ? nlohmann::json(otherwise) : value;
  if (value.is_null() || value.is_string()) return value.is_null() ? otherwise : value.get<std::string>();
  refuse(field, "is " + shownJson(value) + ", not text");
  return otherwise;
}

int JsonFields::count(const char* field, int otherwise) {
  const nlohmann::json& value = any(field);
  resolved_[field] = value.is_null() ? nlohmann::json(otherwise) : value;
  if (value.is_null()) return otherwise;
  const bool fits = value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() <= 1e9;
  if (fits) return value.get<int>();
  refuse(field, "is " + shownJson(value) + ", not a count");
  return otherwise;
}

const nlohmann::json& JsonFields::list(const char* field) {
  const nlohmann::json& value = any(field);
  if (value.is_array()) return value;
  refuse(field, "is " + shownJson(value) + ", not a list");
  return emptyJson(nlohmann::json::value_t::array);
}

Status JsonFields::done() const {
  if (!status_) return status_;
  for (const auto& [field, value] : object_.items())
    if (!known_.contains(field))
      return Error{"is " + shownJson(value) + ", a field that is not known here", at(field),
                   "its effect would be ignored"};
  return success();
}

}  // namespace glassformer
