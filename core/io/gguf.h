#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/io/safetensors.h"
#include "core/result.h"

namespace glassformer {

/// What a key says: a number (a flag is 0 or 1), a text, or a list of either. Lists of lists are passed over.
using GgufValue = std::variant<double, std::string, std::vector<double>, std::vector<std::string>>;

/// GGUF, the container of weights that llama.cpp reads: "GGUF", its version, how many tensors and keys there
/// are, the keys with their values, then name, extents, type and place of every tensor, and behind these,
/// aligned, the values, little-endian. Matrices are [out, in].
///
/// Nothing is believed before it is checked against the size of the file.
/// Refuses, with file and key or tensor: other versions, lengths and places that leave the file, names that
/// come twice. Types that cannot be converted are listed by their names: "IQ4_NL".
struct GgufFile {
  StoredTensors tensors;
  std::map<std::string, GgufValue> keys;
};
/// Of a file in several parts ("model-00001-of-00003.gguf") all of them, whichever is given; keys are those
/// of the first. Refuses, naming it, a part that is missing.
Result<GgufFile> openGguf(const std::filesystem::path& path);
/// "model" for "model.gguf", and for a part of it.
std::string nameOfGguf(const std::filesystem::path& path);
/// Whether it is a part of a file beside it that begins elsewhere.
bool isLaterPart(const std::filesystem::path& path);
Result<GgufFile> parseGguf(const std::shared_ptr<BinaryFile>& file);

/// The key that says which of llama.cpp's graphs the weights are for: "llama".
inline constexpr const char* architectureKey = "general.architecture";

}  // namespace glassformer
