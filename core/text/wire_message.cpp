#include "core/text/wire_message.h"

#include <optional>
#include <string>

namespace glassformer {
namespace {

enum WireKind : std::uint64_t { Varint = 0, EightBytes = 1, Block = 2, FourBytes = 5 };

/// Reads one value after the other; nothing where the message ends inside of it.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : message_(message) {}
  std::size_t at() const { return at_; }
  bool isAtEnd() const { return at_ == message_.size(); }

  // Seven bits a byte, the lowest first; the highest bit says whether another byte follows.
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !isAtEnd(); shift += 7) {
      const auto byte = static_cast<unsigned char>(message_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }
  std::optional<std::string_view> block(std::uint64_t length) {
    if (length > message_.size() - at_) return std::nullopt;
    const std::string_view bytes = message_.substr(at_, length);
    at_ += length;
    return bytes;
  }

 private:
  std::string_view message_;
  std::size_t at_ = 0;
};

std::uint64_t littleEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

}  // namespace

Result<std::vector<WireField>> wireFields(std::string_view message, std::string_view name,
                                          std::size_t begin) {
  std::vector<WireField> fields;
  WireReader reader(message);
  while (!reader.isAtEnd()) {
    const std::string where = std::string(name) + ", byte " + std::to_string(begin + reader.at());
    const Error cutOff{"has a field that leaves its message", where, "the file is damaged; get it again"};
    const auto key = reader.varint();
    if (!key) return cutOff;
    const std::uint64_t kind = *key & 7;
    WireField field{.field = *key >> 3};
    if (kind == Varint) {
      const auto number = reader.varint();
      if (!number) return cutOff;
      field.number = *number, field.at = begin + reader.at();
    } else if (kind == Block || kind == FourBytes || kind == EightBytes) {
      const auto length = kind == Block ? reader.varint() : kind == FourBytes ? 4 : 8;
      field.at = begin + reader.at();
      const auto bytes = length ? reader.block(*length) : std::nullopt;
      if (!bytes) return cutOff;
      field.bytes = *bytes;
      if (kind != Block) field.number = littleEndian(*bytes);
    } else {
      return Error{"has a field of the kind " + std::to_string(kind) + ", which is none", where,
                   "the file is damaged or of another kind"};
    }
    fields.push_back(field);
  }
  return fields;
}

}  // namespace glassformer
