#pragma once
#include <span>

#include "core/io/formats/config_fields.h"

namespace glassformer {

/// A field of config.json that changes nothing in what is computed here, in any family.
struct IdleField {
  const char* name;
  const char* only;  ///< JSON: the one value for which that holds; null: it holds for all values
  const char* why;
};
std::span<const IdleField> idleFields();

/// Takes those that no family has read. Refuses, naming the field, other values than the one that is idle.
void passOverIdle(ConfigFields& fields);

}  // namespace glassformer
