#include "core/io/gguf.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

#include "core/io/mapped_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr const char* damagedGguf = "the file is damaged or cut off; get it again";
constexpr int deepestArray = 4, mostExtents = 4;

// What a value of a key is, by its number.
enum class GgufValue : std::uint32_t { Bool = 7, Text = 8, Array = 9, Count = 13 };
constexpr std::array<std::size_t, 13> valueBytes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// A type of numbers: so many of them are stored in so many bytes. 0 bytes: it is not read here.
struct GgufType {
  std::uint32_t number;
  const char* name;
  std::uint64_t values = 1, bytes = 0;
};
constexpr GgufType ggufTypes[]{{0, "F32", 1, 4}, {1, "F16", 1, 2}, {30, "BF16", 1, 2}, {8, "Q8_0", 32, 34},
                               {2, "Q4_0"},      {3, "Q4_1"},      {6, "Q5_0"},        {7, "Q5_1"},
                               {10, "Q2_K"},     {11, "Q3_K"},     {12, "Q4_K"},       {13, "Q5_K"},
                               {14, "Q6_K"},     {20, "IQ4_NL"},   {23, "IQ4_XS"}};

/// Reads one thing after the other, and keeps the first complaint; behind it everything is 0.
class GgufReader {
 public:
  GgufReader(std::span<const std::byte> bytes, std::string_view name) : bytes_(bytes), file_(name) {}

  Result<StoredTensors> read(std::shared_ptr<const void> owner) {
    readStart();
    for (std::uint64_t i = 0; i < keys_ && status_; ++i) readKey();
    for (std::uint64_t i = 0; i < count_ && status_; ++i) readTensor();
    placeTensors();
    if (!status_) return status_.error();
    return StoredTensors::of(std::move(tensors_), std::move(texts_), std::move(owner));
  }

 private:
  void refuse(std::string what, const std::string& where = "") {
    if (status_) status_ = Error{std::move(what), file_ + (where.empty() ? "" : ", " + where), damagedGguf};
  }
  std::size_t left() const { return bytes_.size() - at_; }

  template <typename Number>
  Number number() {
    Number value{};
    if (left() < sizeof value) return refuse("ends in the middle of its description"), Number{};
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const auto length = number<std::uint64_t>();
    if (length > left())
      return refuse("has a text of " + std::to_string(length) + " bytes that leaves it"), "";
    const std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, length);
    at_ += length;
    return value;
  }

  void readStart() {
    if (bytes_.size() < 4 || std::memcmp(bytes_.data(), "GGUF", 4) != 0)
      return refuse("does not begin as GGUF");
    at_ = 4;
    const auto version = number<std::uint32_t>();
    if (version != 2 && version != 3)
      return refuse("is of version " + std::to_string(version) + "; 2 and 3 can be read");
    count_ = number<std::uint64_t>(), keys_ = number<std::uint64_t>();
    if (count_ > left() || keys_ > left()) refuse("counts more tensors or keys than it has bytes");
  }

  void readKey() {
    const std::string key = text();
    const auto kind = number<std::uint32_t>();
    if (kind == static_cast<std::uint32_t>(GgufValue::Text))
      texts_[key] = text();
    else if (key == "general.alignment" && kind == 4)
      alignment_ = number<std::uint32_t>();
    else
      pass(kind, key, 0);
  }
  // Over a value that nobody asks for.
  void pass(std::uint32_t kind, const std::string& key, int depth) {
    if (!status_) return;
    if (kind >= static_cast<std::uint32_t>(GgufValue::Count) || depth > deepestArray)
      return refuse("has a value of an unknown kind", "key " + inQuotes(key));
    if (kind == static_cast<std::uint32_t>(GgufValue::Text)) return static_cast<void>(text());
    if (kind != static_cast<std::uint32_t>(GgufValue::Array)) return skip(valueBytes[kind], key);
    const auto each = number<std::uint32_t>();
    const auto length = number<std::uint64_t>();
    if (length > left()) return refuse("has a list that leaves the file", "key " + inQuotes(key));
    const bool isPlain = each < valueBytes.size() && valueBytes[each] > 0;
    if (isPlain) return skip(valueBytes[each] * length, key);
    for (std::uint64_t i = 0; i < length && status_; ++i) pass(each, key, depth + 1);
  }
  void skip(std::size_t bytes, const std::string& key) {
    if (bytes > left()) return refuse("has a value that leaves the file", "key " + inQuotes(key));
    at_ += bytes;
  }

  void readTensor() {
    StoredTensor tensor;
    tensor.name = text();
    const std::string where = "tensor " + inQuotes(tensor.name);
    if (!names_.insert(tensor.name).second) return refuse("comes twice", where);
    const auto rank = number<std::uint32_t>();
    if (rank < 1 || rank > mostExtents) return refuse("has " + std::to_string(rank) + " extents", where);
    for (std::uint32_t d = 0; d < rank; ++d) {
      const auto extent = number<std::uint64_t>();
      if (extent > std::uint64_t{1} << 40) return refuse("has the extent " + std::to_string(extent), where);
      tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(extent));  // innermost first
    }
    const auto kind = number<std::uint32_t>();
    const auto* type = std::ranges::find(ggufTypes, kind, &GgufType::number);
    const bool isKnown = type != std::end(ggufTypes);
    tensor.type = isKnown ? type->name : "number " + std::to_string(kind);
    places_.push_back({isKnown ? *type : GgufType{kind, ""}, number<std::uint64_t>()});
    tensors_.push_back(std::move(tensor));
  }

  // How many bytes a tensor has; nothing where its rows are no whole blocks, or it cannot be so large.
  std::optional<std::uint64_t> sizeOf(const StoredTensor& tensor, const GgufType& type) const {
    if (static_cast<std::uint64_t>(tensor.shape.back()) % type.values != 0) return std::nullopt;
    std::uint64_t values = 1;
    for (const std::int64_t extent : tensor.shape) {
      if (extent != 0 && values > bytes_.size() / static_cast<std::uint64_t>(extent)) return std::nullopt;
      values *= static_cast<std::uint64_t>(extent);
    }
    return values / type.values * type.bytes;
  }

  void placeTensors() {
    if (!status_) return;
    if (alignment_ == 0) return refuse("has an alignment of 0");
    const std::size_t begin = (at_ + alignment_ - 1) / alignment_ * alignment_;
    for (std::size_t i = 0; i < tensors_.size() && status_; ++i) {
      const auto& [type, offset] = places_[i];
      if (type.bytes == 0) continue;
      const std::string where = "tensor " + inQuotes(tensors_[i].name);
      const auto size = sizeOf(tensors_[i], type);
      const std::size_t room = begin < bytes_.size() ? bytes_.size() - begin : 0;
      if (!size || offset > room || *size > room - offset) return refuse("leaves the file", where);
      tensors_[i].bytes = bytes_.subspan(begin + offset, *size);
    }
  }

  struct Place {
    GgufType type;
    std::uint64_t offset;
  };
  std::span<const std::byte> bytes_;
  std::string file_;
  std::size_t at_ = 0;
  std::uint64_t count_ = 0, keys_ = 0;
  std::uint32_t alignment_ = 32;
  std::map<std::string, std::string> texts_;
  std::vector<StoredTensor> tensors_;
  std::vector<Place> places_;
  std::set<std::string> names_;
  Status status_ = success();
};

}  // namespace

Result<StoredTensors> openGguf(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  return parseGguf((*file)->bytes(), path.string(), *file);
}

Result<StoredTensors> parseGguf(std::span<const std::byte> bytes, std::string_view name,
                                std::shared_ptr<const void> owner) {
  return GgufReader(bytes, name).read(std::move(owner));
}

}  // namespace glassformer
