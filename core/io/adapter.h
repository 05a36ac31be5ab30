#pragma once
#include <filesystem>

#include "core/io/formats/model_formats.h"
#include "core/io/stored_model.h"

namespace glassformer {

/// A LoRA adapter beside its base (Hu et al. 2021), as PEFT lays it out: adapter_config.json, and
/// adapter_model.safetensors with two thin matrices for each weight that was adapted, W + s · B · A; with
/// DoRA the lengths of its rows, too (Liu et al. 2024); and tensors that were learned anew as a whole
/// (modules_to_save).

/// Whether a folder holds an adapter; a config.json beside it is its base's.
bool isAdapter(const std::filesystem::path& folder);

/// Where its base lies: as base_model_name_or_path says, or a folder or GGUF file of that name beside the
/// adapter's, or the folder around it. An error names the base that is not there.
Result<std::filesystem::path> baseOf(const std::filesystem::path& adapter);

/// What its base's folder is called where it lies beside the adapter's.
std::string baseNameOf(const std::filesystem::path& adapter);

/// Puts the adapted weights in place of the base's; with an unembedding of its own, the model is no longer
/// tied. Refuses, naming file and field or tensor: other kinds of adapters, and tensors that do not fit the
/// base's; of a GGUF file, tensors that were learned as a whole, too.
Status applyAdapter(const std::filesystem::path& adapter, FamilyConfig& family, StoredModel& base);

}  // namespace glassformer
