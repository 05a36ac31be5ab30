#include "app/archives/archive.h"
#include "app/archives/npz.h"
#include "core/io/files.h"
#include "tests/fuzz/fuzzed_file.h"
#include "tests/fuzz/fuzzed_tensors.h"

using namespace glassformer;

namespace {

// An array as numpy.save writes it.
std::string arrayOfFour() {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
  header.resize(117, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string(16, 'a');
}

}  // namespace

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const TemporaryFolder folder;
  holds(!!writeArchive(folder / "seed", {{"scores.npy", {}, arrayOfFour()}, {"run/plan.json", {}, "{}"}}));
  writeSeed(*argc, *argv, "first", *readTextFile(folder / "seed"));
  return 0;
}

// Every file of an archive has a name that stays inside, and what it says of its length holds.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fileOf(data, size, "fuzzed.npz");
  if (const auto tensors = openNpz(file)) holdTensors(*tensors);
  const auto archive = Archive::open(file);
  if (!archive) return 0;
  for (const ArchivedFile& each : archive->files()) {
    holds(!each.name.starts_with("/") && !each.name.starts_with("../") &&
          each.name.find("/../") == std::string::npos);
    if (const auto text = archive->text(each.name, 1 << 20)) holds(text->size() == each.bytes);
  }
  return 0;
}
