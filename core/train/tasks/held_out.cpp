#include "core/train/tasks/held_out.h"

#include <cstdint>

#include "core/random.h"

namespace glassformer {

bool isHeldOut(std::string_view combination) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (char c : combination) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return mix(hash) % 10 == 0;
}

}  // namespace glassformer
