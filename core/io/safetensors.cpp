#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "core/io/files.h"
#include "core/io/number_formats.h"
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

/// Reads the header's entries; values lie from `data` on.
class HeaderReader {
 public:
  HeaderReader(std::shared_ptr<BinaryFile> file, std::uint64_t data) : file_(std::move(file)), data_(data) {}

  Result<StoredTensor> tensor(const std::string& name, const Json& entry) const {
    const std::string where = file_->name() + ", tensor " + inQuotes(name);
    if (!entry.is_object()) return Error{"its description is not an object", where, damaged};
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!entry.contains(field)) return Error{std::string(field) + " is missing", where, damaged};
    StoredTensor tensor;
    tensor.name = name, tensor.file = file_;
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
    if (const std::uint64_t room = file_->size() - data_; begin > end || end > room)
      return Error{"data_offsets " + range.dump() + " leave the file, which has " + std::to_string(room) +
                       " bytes of data",
                   where, damaged};
    tensor.begin = data_ + begin, tensor.size = end - begin;
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
      if (empty || needed > tensor.size) break;
      const auto factor = static_cast<std::uint64_t>(extent);
      needed = factor > tensor.size ? tensor.size + 1 : needed * factor;
    }
    if ((empty ? 0 : needed) != tensor.size)
      return Error{"its shape does not fit its " + std::to_string(tensor.size) + " bytes", where, damaged};
    return success();
  }

  std::shared_ptr<BinaryFile> file_;
  std::uint64_t data_;
};

Result<std::string> headerOf(BinaryFile& file) {
  if (file.size() < lengthBytes)
    return Error{"has " + std::to_string(file.size()) + " bytes, too few for a safetensors file", file.name(),
                 damaged};
  std::uint64_t length = 0;
  if (Status read = file.read(0, std::as_writable_bytes(std::span(&length, 1))); !read) return read.error();
  if (length > file.size() - lengthBytes)
    return Error{"says that its header has " + std::to_string(length) + " bytes, but the file has " +
                     std::to_string(file.size()),
                 file.name(), damaged};
  std::string header(length, ' ');
  if (Status read = file.read(lengthBytes, std::as_writable_bytes(std::span(header))); !read)
    return read.error();
  return header;
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
Status checkCover(std::vector<StoredTensor>& tensors, std::uint64_t data, const BinaryFile& file) {
  std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.begin, a.size) < std::pair(b.begin, b.size);
  });
  std::uint64_t covered = data;
  for (const StoredTensor& tensor : tensors) {
    const std::string where = file.name() + ", tensor " + inQuotes(tensor.name);
    if (tensor.begin < covered) return Error{"overlaps the tensor before it", where, damaged};
    if (tensor.begin > covered) return Error{"leaves unused bytes before it", where, damaged};
    covered += tensor.size;
  }
  if (covered == file.size()) return success();
  return Error{"has " + std::to_string(file.size() - covered) + " bytes that belong to no tensor",
               file.name(), damaged};
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

void writeValues(std::ostream& stream, const TensorView& view) {
  if (!view.contiguous()) {
    const std::vector<float> values = view.copy();
    return writeValues(stream, TensorView(values.data(), std::span(view.extent).first(view.rank)));
  }
  stream.write(reinterpret_cast<const char*>(view.data),
               static_cast<std::streamsize>(static_cast<std::size_t>(view.size()) * sizeof(float)));
}

}  // namespace

StoredTensor StoredTensor::of(std::string name, std::string type, std::vector<std::int64_t> shape,
                              std::string bytes) {
  const std::uint64_t size = bytes.size();
  auto file = BinaryFile::of(std::move(bytes), name);
  return {std::move(name), std::move(type), std::move(shape), std::move(file), 0, size};
}

StoredTensor StoredTensor::of(std::string name, std::vector<std::int64_t> shape,
                              std::span<const float> values) {
  return of(std::move(name), "F32", std::move(shape),
            std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
}

std::int64_t StoredTensor::valueCount() const {
  const NumberFormat* format = findNumberFormat(type);
  return static_cast<std::int64_t>(format ? size / format->bytes * format->numbers
                                          : size / *bytesPerValue(type));
}

bool StoredTensor::isFloat() const { return findNumberFormat(type) != nullptr; }

Result<std::string> StoredTensor::bytes() const {
  std::string bytes(size, '\0');
  if (Status status = file->read(begin, std::as_writable_bytes(std::span(bytes))); !status)
    return status.error();
  return bytes;
}

// Some blocks at a time: what is converted is never there twice.
Status StoredTensor::read(std::span<float> to) const {
  assert(isFloat() && static_cast<std::int64_t>(to.size()) == valueCount());
  const NumberFormat& format = *findNumberFormat(type);
  const std::size_t blocks = to.size() / format.numbers, most = (std::size_t{1} << 20) / format.bytes;
  std::vector<std::byte> some(std::min(blocks, most) * format.bytes);
  for (std::size_t block = 0; block < blocks; block += most) {
    const std::size_t count = std::min(most, blocks - block);
    if (Status status = file->read(begin + block * format.bytes, std::span(some).first(count * format.bytes));
        !status)
      return status;
    format.widen(some.data(), count, to.data() + block * format.numbers);
  }
  return success();
}

Result<std::vector<float>> StoredTensor::converted() const {
  std::vector<float> values(static_cast<std::size_t>(valueCount()));
  if (Status status = read(values); !status) return status.error();
  return values;
}

Result<StoredTensors> StoredTensors::open(const std::filesystem::path& path) {
  const auto file = BinaryFile::open(path);
  if (!file) return file.error();
  return parse(*file);
}

Result<StoredTensors> StoredTensors::parse(const std::shared_ptr<BinaryFile>& file) {
  const auto text = headerOf(*file);
  if (!text) return text.error();
  const auto header = parseJson(*text, file->name() + ", header");
  if (!header) return header.error();
  if (!header->is_object()) return Error{"its header is not a JSON object", file->name(), damaged};
  const std::uint64_t data = lengthBytes + text->size();
  StoredTensors stored;
  for (const auto& [key, entry] : header->items()) {
    if (key == "__metadata__") {
      if (Status status = readMetadata(entry, file->name(), stored.metadata_); !status) return status.error();
      continue;
    }
    auto tensor = HeaderReader(file, data).tensor(key, entry);
    if (!tensor) return tensor.error();
    stored.tensors_.push_back(*std::move(tensor));
  }
  if (Status status = checkCover(stored.tensors_, data, *file); !status) return status.error();
  return stored;
}

StoredTensors StoredTensors::of(std::vector<StoredTensor> tensors,
                                std::map<std::string, std::string> metadata) {
  StoredTensors stored;
  stored.tensors_ = std::move(tensors), stored.metadata_ = std::move(metadata);
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
