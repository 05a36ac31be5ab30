#pragma once

namespace glassformer {

/// How many bytes this process can still get: what the system has to spare, or less where a limit is set for
/// the process or its group. Infinite where the system does not say.
double availableMemory();

}  // namespace glassformer
