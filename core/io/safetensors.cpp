#include "core/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "core/io/files.h"
#include "core/io/mapped_file.h"
#include "core/tensor/block_formats.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {

static_assert(std::endian::native == std::endian::little, "the format is little-endian, and so is this code");

namespace {

using Json = nlohmann::json;

constexpr std::size_t lengthBytes = 8;
constexpr std::size_t dataAlignment = 64;  // a cache line
constexpr const char* damaged = "the file is damaged or cut off; get it again";

std::optional<std::uint64_t> bytesPerValue(std::string_view type) {
  for (const auto& [name, bytes] : {std::pair{"F32", 4},
                                    {"F16", 2},
                                    {"BF16", 2},
                                    {"F64", 8},
                                    {"I64", 8},
                                    {"I32", 4},
                                    {"I16", 2},
                                    {"I8", 1},
                                    {"U64", 8},
                                    {"U32", 4},
                                    {"U16", 2},
                                    {"U8", 1},
                                    {"BOOL", 1},
                                    {"F8_E4M3", 1},
                                    {"F8_E5M2", 1}})
    if (type == name) return bytes;
  return std::nullopt;
}

/// Reads the header's entries; `data` is what follows the header.
class HeaderReader {
 public:
  HeaderReader(std::string_view file, std::span<const std::byte> data) : file_(file), data_(data) {}

  Result<StoredTensor> tensor(const std::string& name, const Json& entry) const {
    const std::string where = file_ + ", tensor " + inQuotes(name);
    if (!entry.is_object()) return Error{"its description is not an object", where, damaged};
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!entry.contains(field)) return Error{std::string(field) + " is missing", where, damaged};
    StoredTensor tensor;
    tensor.name = name;
    if (Status status = readShape(entry["shape"], where, tensor); !status) return status.error();
    if (Status status = readRange(entry["data_offsets"], where, tensor); !status) return status.error();
    if (Status status = readType(entry["dtype"], where, tensor); !status) return status.error();
    return tensor;
  }

 private:
  Status readShape(const Json& shape, const std::string& where, StoredTensor& tensor) const {
    if (!shape.is_array()) return Error{"shape is not a list", where, damaged};
    for (const Json& extent : shape) {
      if (!extent.is_number_unsigned() || extent.get<std::uint64_t>() > std::uint64_t{1} << 62)
        return Error{"shape has the entry " + extent.dump(-1, ' ', true), where, damaged};
      tensor.shape.push_back(extent.get<std::int64_t>());
    }
    return success();
  }

  Status readRange(const Json& range, const std::string& where, StoredTensor& tensor) const {
    if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
        !range[1].is_number_unsigned())
      return Error{"data_offsets is not two whole numbers", where, damaged};
    const auto begin = range[0].get<std::uint64_t>(), end = range[1].get<std::uint64_t>();
    if (begin > end || end > data_.size())
      return Error{"data_offsets " + range.dump() + " leave the file, which has " +
                       std::to_string(data_.size()) + " bytes of data",
                   where, damaged};
    tensor.bytes = data_.subspan(begin, end - begin);
    return success();
  }

  Status readType(const Json& type, const std::string& where, StoredTensor& tensor) const {
    if (!type.is_string()) return Error{"dtype is not text", where, damaged};
    tensor.type = type.get<std::string>();
    const auto each = bytesPerValue(tensor.type);
    if (!each) return Error{"dtype " + inQuotes(tensor.type) + " is unknown", where, ""};
    // Multiplied up without overflow: shape's product times `each` must be the range's length.
    std::uint64_t needed = *each;
    const bool empty = std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end();
    for (std::int64_t extent : tensor.shape) {
      if (empty || needed > tensor.bytes.size()) break;
      const auto factor = static_cast<std::uint64_t>(extent);
      needed = factor > tensor.bytes.size() ? tensor.bytes.size() + 1 : needed * factor;
    }
    if ((empty ? 0 : needed) != tensor.bytes.size())
      return Error{"its shape does not fit its " + std::to_string(tensor.bytes.size()) + " bytes", where,
                   damaged};
    return success();
  }

  std::string file_;
  std::span<const std::byte> data_;
};

Result<std::string_view> headerOf(std::span<const std::byte> bytes, std::string_view name) {
  const std::string file(name);
  if (bytes.size() < lengthBytes)
    return Error{"has " + std::to_string(bytes.size()) + " bytes, too few for a safetensors file", file,
                 damaged};
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), lengthBytes);
  if (length > bytes.size() - lengthBytes)
    return Error{"says that its header has " + std::to_string(length) + " bytes, but the file has " +
                     std::to_string(bytes.size()),
                 file, damaged};
  return std::string_view(reinterpret_cast<const char*>(bytes.data()) + lengthBytes, length);
}

Status readMetadata(const Json& entries, const std::string& file,
                    std::map<std::string, std::string>& metadata) {
  if (!entries.is_object()) return Error{"is not an object", file + ", __metadata__", damaged};
  for (const auto& [key, value] : entries.items()) {
    if (!value.is_string())
      return Error{"its entry " + inQuotes(key) + " is not text", file + ", __metadata__", damaged};
    metadata[key] = value.get<std::string>();
  }
  return success();
}

// The format wants every byte of the data to belong to exactly one tensor.
Status checkCover(std::vector<StoredTensor>& tensors, std::span<const std::byte> data,
                  const std::string& file) {
  std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.bytes.data(), a.bytes.size()) < std::pair(b.bytes.data(), b.bytes.size());
  });
  const std::byte* covered = data.data();
  for (const StoredTensor& tensor : tensors) {
    if (tensor.bytes.data() < covered)
      return Error{"overlaps the tensor before it", file + ", tensor " + inQuotes(tensor.name), damaged};
    if (tensor.bytes.data() > covered)
      return Error{"leaves unused bytes before it", file + ", tensor " + inQuotes(tensor.name), damaged};
    covered += tensor.bytes.size();
  }
  if (covered != data.data() + data.size())
    return Error{
        "has " + std::to_string(data.data() + data.size() - covered) + " bytes that belong to no tensor",
        file, damaged};
  return success();
}

Json shapeOf(const TensorView& view) {
  Json shape = Json::array();
  for (int d = 0; d < view.rank; ++d) shape.push_back(view.extent[static_cast<std::size_t>(d)]);
  return shape;
}

// Padded with spaces, so that the values start at a multiple of `dataAlignment`.
std::string headerFor(std::span<const NamedTensor> tensors,
                      const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::int64_t begin = 0;
  for (const auto& [name, values] : tensors) {
    const std::int64_t end = begin + values.size() * static_cast<std::int64_t>(sizeof(float));
    assert(!header.contains(name) && "two tensors of one name");
    header[name] = {{"dtype", "F32"}, {"shape", shapeOf(values)}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  while ((lengthBytes + text.size()) % dataAlignment != 0) text += ' ';
  return text;
}

// Copied, some at a time: weights that are widened where they are read have no memory for the system to write
// from.
void writeValues(std::ostream& stream, const TensorView& view) {
  if (!view.contiguous()) {
    const std::vector<float> values = view.copy();
    return writeValues(stream, TensorView(values.data(), std::span(view.extent).first(view.rank)));
  }
  std::array<float, 4096> some;
  for (std::int64_t i = 0; i < view.size();) {
    const auto count = std::min<std::int64_t>(view.size() - i, some.size());
    std::copy_n(view.data + i, count, some.begin());
    stream.write(reinterpret_cast<const char*>(some.data()),
                 static_cast<std::streamsize>(static_cast<std::size_t>(count) * sizeof(float)));
    i += count;
  }
}

}  // namespace

bool StoredTensor::isInBlocks() const { return findBlockFormat(type) != nullptr; }

std::int64_t StoredTensor::valueCount() const {
  if (const BlockFormat* blocks = findBlockFormat(type))
    return static_cast<std::int64_t>(bytes.size() / blocks->bytes * blocks->numbers);
  if (type == "Q8_0")
    return static_cast<std::int64_t>(bytes.size() / NumberBlock::bytes * NumberBlock::numbers);
  const std::size_t each = *bytesPerValue(type);
  return static_cast<std::int64_t>(bytes.size() / each);
}

const float* StoredTensor::borrowed() const {
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(float) == 0;
  return type == "F32" && aligned ? reinterpret_cast<const float*>(bytes.data()) : nullptr;
}

std::vector<float> StoredTensor::converted() const {
  assert(isFloat());
  if (const BlockFormat* blocks = findBlockFormat(type)) return widened(*blocks, bytes);
  std::vector<float> values(static_cast<std::size_t>(valueCount()));
  if (type == "F32") {
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  unpack(format(), bytes.data(), 0, values.size(), values.data());
  return values;
}

Result<StoredTensors> StoredTensors::open(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  return parse((*file)->bytes(), path.string(), *file);
}

Result<StoredTensors> StoredTensors::parse(std::span<const std::byte> bytes, std::string_view name,
                                           std::shared_ptr<const void> owner) {
  const std::string file(name);
  const auto text = headerOf(bytes, name);
  if (!text) return text.error();
  const auto header = parseJson(*text, file + ", header");
  if (!header) return header.error();
  if (!header->is_object()) return Error{"its header is not a JSON object", file, damaged};
  const auto data = bytes.subspan(lengthBytes + text->size());
  StoredTensors stored;
  stored.owner_ = std::move(owner);
  for (const auto& [key, entry] : header->items()) {
    if (key == "__metadata__") {
      if (Status status = readMetadata(entry, file, stored.metadata_); !status) return status.error();
      continue;
    }
    auto tensor = HeaderReader(name, data).tensor(key, entry);
    if (!tensor) return tensor.error();
    stored.tensors_.push_back(*std::move(tensor));
  }
  if (Status status = checkCover(stored.tensors_, data, file); !status) return status.error();
  return stored;
}

StoredTensors StoredTensors::of(std::vector<StoredTensor> tensors,
                                std::map<std::string, std::string> metadata,
                                std::shared_ptr<const void> owner) {
  StoredTensors stored;
  stored.tensors_ = std::move(tensors);
  stored.metadata_ = std::move(metadata), stored.owner_ = std::move(owner);
  return stored;
}

const StoredTensor* StoredTensors::find(std::string_view name) const {
  for (const StoredTensor& tensor : tensors_)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

Status writeSafetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                        const std::map<std::string, std::string>& metadata) {
  const std::string header = headerFor(tensors, metadata);
  return writeFile(path, [&](std::ostream& stream) {
    const std::uint64_t length = header.size();
    stream.write(reinterpret_cast<const char*>(&length), sizeof length);
    stream << header;
    for (const NamedTensor& tensor : tensors) writeValues(stream, tensor.values);
  });
}

}  // namespace glassformer
