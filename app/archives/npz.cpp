#include "app/archives/npz.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "app/archives/archive.h"
#include "core/io/derived_config.h"
#include "core/io/model_directory.h"
#include "core/model/memory_need.h"
#include "core/tensor/available_memory.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostBytes = std::size_t{8} << 30;
constexpr std::string_view arrayEnding = ".npy";

// What the header of an array says: a Python dict of three entries.
struct ArrayHeader {
  std::string type;  // "<f4"
  bool isColumnwise = false;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;  // of the values
};

// What stands behind "'key':", up to a character.
std::optional<std::string_view> behind(std::string_view dict, std::string_view key, char end) {
  const std::size_t at = dict.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t begin = dict.find_first_not_of(' ', at + key.size() + 3),
                    stop = dict.find(end, begin + 1);
  if (begin == std::string_view::npos || stop == std::string_view::npos) return std::nullopt;
  return dict.substr(begin, stop - begin);
}

std::optional<std::vector<std::int64_t>> shapeIn(std::string_view tuple) {
  std::vector<std::int64_t> shape;
  for (std::size_t at = 0; at < tuple.size();) {
    if (tuple[at] == ' ' || tuple[at] == ',') {
      ++at;
      continue;
    }
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(tuple.data() + at, tuple.data() + tuple.size(), extent);
    if (error != std::errc() || extent < 0 || shape.size() == 8) return std::nullopt;
    shape.push_back(extent);
    at = static_cast<std::size_t>(end - tuple.data());
  }
  return shape;
}

std::optional<ArrayHeader> headerOf(std::string_view bytes) {
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12) return std::nullopt;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const bool isLong = byte(6) >= 2;  // version 2.0 and later
  const std::size_t begin = isLong ? 12 : 10;
  const std::size_t length = byte(8) | byte(9) << 8 | (isLong ? byte(10) << 16 | byte(11) << 24 : 0);
  if (length > bytes.size() - begin) return std::nullopt;
  const std::string_view dict = bytes.substr(begin, length);
  const auto type = behind(dict, "descr", ','), order = behind(dict, "fortran_order", ','),
             shape = behind(dict, "shape", ')');
  if (!type || type->size() < 4 || !order || !shape || !shape->starts_with("(")) return std::nullopt;
  const auto extents = shapeIn(shape->substr(1));
  if (!extents) return std::nullopt;
  return ArrayHeader{std::string(type->substr(1, type->size() - 2)), *order == "True", *extents,
                     begin + length};
}

template <typename Number>
std::vector<Number> numbersIn(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

template <typename Number>
std::string joined(std::string_view bytes) {
  std::string words;
  for (const Number number : numbersIn<Number>(bytes))
    words += (words.empty() ? "" : ",") + std::to_string(number);
  return words;
}

std::string floatsOf(std::string_view doubles) {
  std::string bytes;
  for (const double number : numbersIn<double>(doubles)) {
    const auto value = static_cast<float>(number);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

// Bytes of one number, or of one string of "<U7": seven characters of four bytes.
std::size_t bytesOfOne(const std::string& type) {
  if (!type.starts_with("<U")) return static_cast<std::size_t>(type.back() - '0');
  std::size_t characters = 0;
  std::from_chars(type.data() + 2, type.data() + type.size(), characters);
  return std::min(characters, mostBytes / 8) * sizeof(char32_t);
}

// Without the zeros that fill them up.
std::vector<std::string> stringsIn(std::string_view bytes, std::size_t each) {
  std::vector<std::string> strings;
  for (; each > 0 && bytes.size() >= each; bytes.remove_prefix(each)) {
    std::string& text = strings.emplace_back();
    for (const std::uint32_t character : numbersIn<std::uint32_t>(bytes.substr(0, each)))
      if (character != 0) text += encodeUtf8(static_cast<char32_t>(character));
  }
  return strings;
}

// As many as the shape asks for; more than there can be, where that is beyond all bounds.
std::size_t bytesOf(const ArrayHeader& header) {
  std::size_t bytes = bytesOfOne(header.type);
  for (const std::int64_t extent : header.shape) {
    if (extent == 0 || bytes == 0) return 0;
    if (static_cast<std::size_t>(extent) > mostBytes / bytes) return mostBytes;
    bytes *= static_cast<std::size_t>(extent);
  }
  return bytes;
}

}  // namespace

Result<StoredTensors> openDump(const fs::path& file) {
  return file.extension() == ".npz" ? openNpz(file) : StoredTensors::open(file);
}

bool isDump(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  if (file.extension() == ".npz") return true;
  if (file.extension() != ".safetensors") return false;
  if (!isModelDirectory(fs::absolute(file).parent_path())) return true;
  const auto stored = StoredTensors::open(file);
  return stored && hasTracePoints(*stored);
}

Result<StoredTensors> openNpz(const fs::path& file) {
  const auto archive = Archive::open(file);
  if (!archive) return archive.error();
  double bytes = 0;
  for (const ArchivedFile& each : archive->files()) bytes += static_cast<double>(each.bytes);
  if (Status fits = checkReadMemory(bytes, file.string(), availableMemory()); !fits) return fits.error();
  const auto kept = std::make_shared<std::deque<std::string>>();
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::string> metadata;
  for (const ArchivedFile& each : archive->files()) {
    if (!each.name.ends_with(arrayEnding)) continue;
    const std::string name = each.name.substr(0, each.name.size() - arrayEnding.size());
    auto read = archive->text(each.name, mostBytes);
    if (!read) return read.error();
    const auto header = headerOf(*read);
    const auto wrong = [&](const std::string& what) {
      return Error{what, file.string() + ", array " + inQuotes(name), ""};
    };
    if (!header) return wrong("is no array of NumPy's");
    const std::string& type = header->type;
    const std::string_view values = std::string_view(*read).substr(header->begin);
    const bool isTokens = (name == "tokens" || name == "source") && (type == "<i8" || type == "<i4");
    const bool isStrings = (name == "texts" || name == "config") && type.starts_with("<U");
    if (!isTokens && !isStrings && type != "<f2" && type != "<f4" && type != "<f8") continue;
    if (values.size() != bytesOf(*header))
      return wrong("has " + std::to_string(values.size()) + " bytes, and its shape asks for " +
                   std::to_string(bytesOf(*header)));
    if (header->isColumnwise && header->shape.size() > 1)
      return wrong("lies column by column; save numpy.ascontiguousarray of it");
    if (isTokens) {
      metadata[name] = type == "<i8" ? joined<std::int64_t>(values) : joined<std::int32_t>(values);
      continue;
    }
    if (isStrings) {
      const auto strings = stringsIn(values, bytesOfOne(type));
      metadata[name] = name == "texts"   ? nlohmann::json(strings).dump()
                       : strings.empty() ? ""
                                         : strings.front();
      continue;
    }
    const std::string& array = kept->emplace_back(type == "<f8" ? floatsOf(values) : std::string(values));
    tensors.push_back({name, type == "<f2" ? "F16" : "F32", header->shape, std::as_bytes(std::span(array))});
  }
  return StoredTensors::of(std::move(tensors), std::move(metadata), kept);
}

}  // namespace glassformer
