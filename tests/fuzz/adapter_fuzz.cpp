#include "core/io/adapter.h"

#include "core/io/files.h"
#include "tests/fuzz/fuzzed_file.h"

using namespace glassformer;

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  writeSeed(
      *argc, *argv, "first",
      R"({"peft_type": "LORA", "base_model_name_or_path": "base", "r": 2, "lora_alpha": 4, "bias": "none"})");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto folder = fileOf(data, size, "adapter_config.json").parent_path();
  holds(isAdapter(folder));
  (void)baseOf(folder), (void)baseNameOf(folder);
  FamilyConfig family{.format = modelFormats().front()};
  StoredModel base;
  holds(!applyAdapter(folder, family, base));  // there are no weights beside it
  return 0;
}
