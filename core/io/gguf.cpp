#include "core/io/gguf.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <set>

#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/io/number_formats.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr const char* damagedGguf = "the file is damaged or cut off; get it again";
constexpr int deepestArray = 4, mostExtents = 4;

// What a value of a key is, by its number.
enum class GgufKind : std::uint32_t { Text = 8, Array = 9, Count = 13 };

// Types of numbers, by theirs.
constexpr std::pair<std::uint32_t, const char*> ggufTypes[]{
    {0, "F32"},   {1, "F16"},   {30, "BF16"}, {8, "Q8_0"},    {2, "Q4_0"},
    {3, "Q4_1"},  {6, "Q5_0"},  {7, "Q5_1"},  {10, "Q2_K"},   {11, "Q3_K"},
    {12, "Q4_K"}, {13, "Q5_K"}, {14, "Q6_K"}, {20, "IQ4_NL"}, {23, "IQ4_XS"}};

std::string ggufType(std::uint32_t number) {
  for (const auto& [known, name] : ggufTypes)
    if (known == number) return name;
  return "number " + std::to_string(number);
}

/// Reads one thing after the other, and keeps the first complaint; behind it everything is 0.
class GgufReader {
 public:
  explicit GgufReader(std::shared_ptr<BinaryFile> file) : stored_(std::move(file)) {}

  Result<GgufFile> read() {
    readStart();
    for (std::uint64_t i = 0; i < keys_ && status_; ++i) readKey();
    for (std::uint64_t i = 0; i < count_ && status_; ++i) readTensor();
    placeTensors();
    if (!status_) return status_.error();
    std::map<std::string, std::string> texts;
    for (const auto& [key, value] : values_)
      if (const auto* text = std::get_if<std::string>(&value)) texts[key] = *text;
    return GgufFile{StoredTensors::of(std::move(tensors_), std::move(texts)), std::move(values_)};
  }

 private:
  void refuse(std::string what, const std::string& where = "") {
    if (status_)
      status_ = Error{std::move(what), stored_->name() + (where.empty() ? "" : ", " + where), damagedGguf};
  }
  std::uint64_t left() const { return stored_->size() - at_; }
  void take(std::span<std::byte> to) {
    if (Status read = stored_->read(at_, to); !read && status_) status_ = read;
    at_ += to.size();
  }

  template <typename Number>
  Number number() {
    Number value{};
    if (left() < sizeof value) return refuse("ends in the middle of its description"), Number{};
    take(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  std::string text() {
    const auto length = number<std::uint64_t>();
    if (length > left())
      return refuse("has a text of " + std::to_string(length) + " bytes that leaves it"), "";
    std::string value(length, ' ');
    take(std::as_writable_bytes(std::span(value)));
    return value;
  }

  void readStart() {
    constexpr std::uint32_t magic = 0x46554747;  // "GGUF"
    if (left() < sizeof magic || number<std::uint32_t>() != magic) return refuse("does not begin as GGUF");
    const auto version = number<std::uint32_t>();
    if (version != 2 && version != 3)
      return refuse("is of version " + std::to_string(version) + "; 2 and 3 can be read");
    count_ = number<std::uint64_t>(), keys_ = number<std::uint64_t>();
    if (count_ > left() || keys_ > left()) refuse("counts more tensors or keys than it has bytes");
  }

  void readKey() {
    const std::string key = text();
    const auto kind = number<std::uint32_t>();
    if (kind == static_cast<std::uint32_t>(GgufKind::Text))
      values_[key] = text();
    else if (kind == static_cast<std::uint32_t>(GgufKind::Array))
      readArray(key, 0);
    else
      values_[key] = numberOf(kind, key);
  }
  void readArray(const std::string& key, int depth) {
    const auto each = number<std::uint32_t>();
    const auto length = number<std::uint64_t>();
    if (length > left()) return refuse("has a list that leaves the file", "key " + inQuotes(key));
    if (depth > deepestArray)
      return refuse("has a list in a list too many times over", "key " + inQuotes(key));
    if (each == static_cast<std::uint32_t>(GgufKind::Array)) {
      for (std::uint64_t i = 0; i < length && status_; ++i) readArray(key, depth + 1);
      values_.erase(key);
    } else if (each == static_cast<std::uint32_t>(GgufKind::Text)) {
      std::vector<std::string> texts;
      for (std::uint64_t i = 0; i < length && status_; ++i) texts.push_back(text());
      values_[key] = std::move(texts);
    } else {
      std::vector<double> numbers;
      for (std::uint64_t i = 0; i < length && status_; ++i) numbers.push_back(numberOf(each, key));
      values_[key] = std::move(numbers);
    }
  }
  double numberOf(std::uint32_t kind, const std::string& key) {
    switch (kind) {
      case 0:
      case 7:
        return number<std::uint8_t>();
      case 1:
        return number<std::int8_t>();
      case 2:
        return number<std::uint16_t>();
      case 3:
        return number<std::int16_t>();
      case 4:
        return number<std::uint32_t>();
      case 5:
        return number<std::int32_t>();
      case 6:
        return static_cast<double>(number<float>());
      case 10:
        return static_cast<double>(number<std::uint64_t>());
      case 11:
        return static_cast<double>(number<std::int64_t>());
      case 12:
        return number<double>();
      default:
        return refuse("has a value of an unknown kind", "key " + inQuotes(key)), 0;
    }
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
    tensor.type = ggufType(number<std::uint32_t>());
    tensor.file = stored_, tensor.begin = number<std::uint64_t>();
    tensors_.push_back(std::move(tensor));
  }

  // How many bytes a tensor has, whose rows are whole blocks; nothing where it cannot be so large.
  std::optional<std::uint64_t> sizeOf(const StoredTensor& tensor, const NumberFormat& format) const {
    const std::uint64_t most = stored_->size() / format.bytes * format.numbers;
    std::uint64_t values = 1;
    for (const std::int64_t extent : tensor.shape) {
      if (extent != 0 && values > most / static_cast<std::uint64_t>(extent)) return std::nullopt;
      values *= static_cast<std::uint64_t>(extent);
    }
    return values / format.numbers * format.bytes;
  }

  std::size_t alignmentOf() const {
    const auto found = values_.find("general.alignment");
    const auto* given = found == values_.end() ? nullptr : std::get_if<double>(&found->second);
    if (!given) return 32;
    return *given >= 0 && *given <= 1 << 20 ? static_cast<std::size_t>(*given) : 0;
  }

  void placeTensors() {
    if (!status_) return;
    const std::size_t alignment = alignmentOf();
    if (alignment == 0) return refuse("has an alignment of 0");
    const std::uint64_t begin = (at_ + alignment - 1) / alignment * alignment,
                        room = begin < stored_->size() ? stored_->size() - begin : 0;
    for (StoredTensor& tensor : tensors_) {
      const NumberFormat* format = findNumberFormat(tensor.type);
      if (!format) continue;  // listed only
      const std::string where = "tensor " + inQuotes(tensor.name);
      if (static_cast<std::uint64_t>(tensor.shape.back()) % format->numbers != 0)
        return refuse("has rows of " + std::to_string(tensor.shape.back()) + " numbers, but the type " +
                          tensor.type + " has them in blocks of " + std::to_string(format->numbers),
                      where);
      const auto size = sizeOf(tensor, *format);
      if (!size || tensor.begin > room || *size > room - tensor.begin)
        return refuse("leaves the file", where);
      tensor.begin += begin, tensor.size = *size;
    }
  }

  std::shared_ptr<BinaryFile> stored_;
  std::uint64_t at_ = 0;
  std::uint64_t count_ = 0, keys_ = 0;
  std::map<std::string, GgufValue> values_;
  std::vector<StoredTensor> tensors_;
  std::set<std::string> names_;
  Status status_ = success();
};

/// One of the files that a large model is split into: "model-00002-of-00003.gguf".
struct GgufPart {
  std::string stem, ending;
  int number = 0, count = 0;

  std::string file(int which) const {
    char digits[32];
    std::snprintf(digits, sizeof digits, "-%05d-of-%05d", which, count);
    return stem + digits + ending;
  }
};

std::optional<GgufPart> partOf(const std::filesystem::path& path) {
  const std::string name = path.stem().string();
  constexpr std::size_t length = std::string_view("-00002-of-00003").size();
  if (name.size() <= length || endingOf(path) != ".gguf") return std::nullopt;
  const std::string_view part = std::string_view(name).substr(name.size() - length);
  const auto digits = [&](std::size_t at) {
    int value = 0;
    const auto read = std::from_chars(part.data() + at, part.data() + at + 5, value);
    return read.ec == std::errc() && read.ptr == part.data() + at + 5 ? value : 0;
  };
  GgufPart made{name.substr(0, name.size() - length), path.extension().string(), digits(1), digits(10)};
  const bool isPart =
      part[0] == '-' && part.substr(6, 4) == "-of-" && made.number > 0 && made.number <= made.count;
  return isPart ? std::optional(std::move(made)) : std::nullopt;
}

Result<GgufFile> openOneGguf(const std::filesystem::path& path) {
  const auto file = BinaryFile::open(path);
  if (!file) return file.error();
  return parseGguf(*file);
}

}  // namespace

Result<GgufFile> openGguf(const std::filesystem::path& path) {
  const auto part = partOf(path);
  if (!part) return openOneGguf(path);
  std::vector<StoredTensor> tensors;
  std::optional<GgufFile> first;
  std::set<std::string> names;
  for (int number = 1; number <= part->count; ++number) {
    const std::filesystem::path one = path.parent_path() / part->file(number);
    if (!isThere(one))
      return Error{"is missing", one.string(),
                   "the model is in " + std::to_string(part->count) + " files; get all of them"};
    auto file = openOneGguf(one);
    if (!file) return file.error();
    for (const StoredTensor& tensor : file->tensors.tensors()) {
      tensors.push_back(tensor);
      if (!names.insert(tensor.name).second)
        return Error{"is in another part, too", one.string() + ", tensor " + inQuotes(tensor.name),
                     damagedGguf};
    }
    if (!first) first = *std::move(file);
  }
  first->tensors = StoredTensors::of(std::move(tensors), first->tensors.metadata());
  return *std::move(first);
}

std::string nameOfGguf(const std::filesystem::path& path) {
  const auto part = partOf(path);
  return part ? part->stem : path.stem().string();
}

bool isLaterPart(const std::filesystem::path& path) {
  const auto part = partOf(path);
  return part && part->number > 1 && isThere(path.parent_path() / part->file(1));
}

Result<GgufFile> parseGguf(const std::shared_ptr<BinaryFile>& file) { return GgufReader(file).read(); }

}  // namespace glassformer
