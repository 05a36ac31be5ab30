#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/text/json_fields.h"
#include "core/text/utf8.h"

namespace glassformer {

/// A step of a tokenizer.json that is known here: {"type": "Lowercase", …}.
template <typename Step>
struct StepKind {
  const char* type;
  Result<Step> (*read)(JsonFields& fields);
};

/// Steps, and the same as they are written: with defaults filled in, whatever stood around them.
template <typename Step>
struct ReadSteps {
  std::vector<Step> steps;
  nlohmann::json written = nlohmann::json::array();

  /// One step by itself, several as a sequence, none as null.
  std::string json(const char* list) const {
    if (written.empty()) return "null";
    return canonicalJson(written.size() == 1 ? written[0]
                                             : nlohmann::json{{"type", "Sequence"}, {list, written}});
  }
};

/// Reads a step, or a "Sequence" of steps however deep, by a table; null is none. `list` names the steps of a
/// sequence: "normalizers". Refuses, with its place, a type that the table lacks and a field that nobody
/// read.
template <typename Step, typename Table>
Status readSteps(const nlohmann::json& description, const std::string& where, const char* list,
                 const Table& table, ReadSteps<Step>& steps) {
  if (description.is_null()) return success();
  JsonFields fields(description, where);
  const std::string type = fields.text("type", "");
  if (type == "Sequence") {
    const nlohmann::json& inside = fields.list(list);
    if (Status status = fields.done(); !status) return status;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      const std::string place = fields.at(list) + "[" + std::to_string(i) + "]";
      if (inside[i].is_null()) return Error{"is null, not a step", place, ""};
      if (Status status = readSteps(inside[i], place, list, table, steps); !status) return status;
    }
    return success();
  }
  const auto* kind = std::ranges::find_if(table, [&](const auto& one) { return one.type == type; });
  if (kind == std::end(table)) {
    std::string known;
    for (const auto& one : table) known += (known.empty() ? "" : ", ") + std::string(one.type);
    fields.refuse("", "has the type " + inQuotes(type) + ", which is not known here", "known are " + known);
    return fields.done();
  }
  auto step = kind->read(fields);
  if (!step) return step.error();
  if (Status status = fields.done(); !status) return status;
  steps.steps.push_back(*std::move(step));
  steps.written.push_back(fields.resolved());
  return success();
}

}  // namespace glassformer
