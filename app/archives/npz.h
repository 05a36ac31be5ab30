#pragma once
#include <filesystem>

#include "core/io/safetensors.h"

namespace glassformer {

/// NumPy's archive of arrays, as numpy.savez and savez_compressed write it: float16, float32 and float64 (as
/// float32) become tensors; whole-number arrays called "tokens" and "source" become the metadata of that
/// name, "12,7,300", as safetensors have it; strings called "texts" a list of JSON, and one called "config"
/// what it is. Other arrays are passed over. Refuses what is damaged, naming the array. The format of each is
/// described in numpy/lib/format.py.
Result<StoredTensors> openNpz(const std::filesystem::path& file);

/// What an implementation computed: an npz by its name, else safetensors.
Result<StoredTensors> openDump(const std::filesystem::path& file);
/// Whether a file is such a dump, and not the weights of a model, beside which there is its config.json.
bool isDump(const std::filesystem::path& file);

}  // namespace glassformer
