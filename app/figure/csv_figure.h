#pragma once
#include <string>

#include "app/drawing/number_tables.h"

namespace glassformer {

/// A table as comma-separated values: what the columns count in the first line, what the rows count in the
/// first field of each further one.
std::string csvTable(const NumberTable& table);

}  // namespace glassformer
