#include "app/archives/npz.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "app/archives/archive.h"
#include "core/io/derived_config.h"
#include "core/io/file_ending.h"
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

// "<f4", ">i8", "|S12", "=u2": numbers of at most 8 bytes, or strings.
bool isType(std::string_view type) {
  if (type.size() < 3) return false;
  const bool isString = type[1] == 'U' || type[1] == 'S';
  const bool isNumber = std::string_view("biuf").find(type[1]) != std::string_view::npos;
  const bool isSized = type.substr(2).find_first_not_of("0123456789") == std::string_view::npos;
  const bool isShort = type.size() == 3 && type[2] >= '1' && type[2] <= '8';
  return std::string_view("<>=|").find(type[0]) != std::string_view::npos && isSized &&
         (isString || (isNumber && isShort));
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

// Whole numbers, separated by commas; nothing where they are none.
std::optional<std::string> wholeNumbersIn(const std::string& type, std::string_view bytes) {
  const std::string kind = type.substr(1);
  if (kind == "i8") return joined<std::int64_t>(bytes);
  if (kind == "i4") return joined<std::int32_t>(bytes);
  if (kind == "i2") return joined<std::int16_t>(bytes);
  if (kind == "i1") return joined<std::int8_t>(bytes);
  if (kind == "u8") return joined<std::uint64_t>(bytes);
  if (kind == "u4") return joined<std::uint32_t>(bytes);
  if (kind == "u2") return joined<std::uint16_t>(bytes);
  if (kind == "u1" || kind == "b1") return joined<std::uint8_t>(bytes);
  return std::nullopt;
}

// Bytes of one number, or of one string: of "<U7" seven characters of four bytes, of "|S7" seven bytes.
std::size_t bytesOfOne(const std::string& type) {
  std::size_t size = 0;
  std::from_chars(type.data() + 2, type.data() + type.size(), size);
  return std::min(size, mostBytes / 8) * (type[1] == 'U' ? sizeof(char32_t) : 1);
}

// As they lie here: the least byte first.
std::string inOwnOrder(std::string values, const std::string& type) {
  const std::size_t each = type[1] == 'U' ? sizeof(char32_t) : type[1] == 'S' ? 1 : bytesOfOne(type);
  for (std::size_t at = 0; type[0] == '>' && each > 1 && at + each <= values.size(); at += each)
    std::reverse(values.begin() + static_cast<std::ptrdiff_t>(at),
                 values.begin() + static_cast<std::ptrdiff_t>(at + each));
  return values;
}

// Row by row of what lies column by column, the first index running fastest.
std::string byRows(const std::string& columns, const ArrayHeader& header) {
  const std::size_t each = bytesOfOne(header.type), count = each == 0 ? 0 : columns.size() / each;
  std::string rows(columns.size(), '\0');
  std::vector<std::size_t> index(header.shape.size());
  for (std::size_t at = 0; at < count; ++at) {
    std::size_t place = 0;
    for (std::size_t d = 0; d < index.size(); ++d)
      place = place * static_cast<std::size_t>(header.shape[d]) + index[d];
    std::memcpy(rows.data() + place * each, columns.data() + at * each, each);
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (++index[d] < static_cast<std::size_t>(header.shape[d])) break;
      index[d] = 0;
    }
  }
  return rows;
}

// Without the zeros that fill them up.
std::vector<std::string> stringsIn(std::string_view bytes, const std::string& type) {
  std::vector<std::string> strings;
  const std::size_t each = bytesOfOne(type);
  for (; each > 0 && bytes.size() >= each; bytes.remove_prefix(each)) {
    std::string& text = strings.emplace_back();
    if (type[1] == 'S') {
      text = bytes.substr(0, bytes.substr(0, each).find_last_not_of('\0') + 1);
      continue;
    }
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
  return endingOf(file) == ".npz" ? openNpz(file) : StoredTensors::open(file);
}

bool isDump(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  if (endingOf(file) == ".npz") return true;
  if (endingOf(file) != ".safetensors") return false;
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
    if (!header) return wrong("not a NumPy array");
    const std::string& type = header->type;
    if (!isType(type)) continue;
    std::string values = inOwnOrder(read->substr(header->begin), type);
    const bool isTokens =
        (name == "tokens" || name == "source") && (type[1] == 'i' || type[1] == 'u' || type[1] == 'b');
    const bool isStrings = (name == "texts" || name == "config") && (type[1] == 'U' || type[1] == 'S');
    if (!isTokens && !isStrings && type[1] != 'f') continue;
    if (values.size() != bytesOf(*header))
      return wrong("has " + std::to_string(values.size()) + " bytes, and its shape asks for " +
                   std::to_string(bytesOf(*header)));
    if (header->isColumnwise && header->shape.size() > 1) values = byRows(values, *header);
    if (isTokens) {
      metadata[name] = wholeNumbersIn(type, values).value_or("");
      continue;
    }
    if (isStrings) {
      const auto strings = stringsIn(values, type);
      metadata[name] = name == "texts"   ? nlohmann::json(strings).dump()
                       : strings.empty() ? ""
                                         : strings.front();
      continue;
    }
    tensors.push_back(StoredTensor::of(name, type[2] == '2' ? "F16" : "F32", header->shape,
                                       type[2] == '8' ? floatsOf(values) : std::move(values)));
  }
  return StoredTensors::of(std::move(tensors), std::move(metadata));
}

}  // namespace glassformer
