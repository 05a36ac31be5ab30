#include "app/explain/shortened_name.h"

#include <string_view>

namespace glassformer {
namespace {

constexpr std::string_view cut = "…";

// Where "0.ln2.hook_normalized" begins; without a block the last part.
std::size_t tellingFrom(const std::string& name) {
  constexpr std::string_view blocks = "blocks.";
  if (const std::size_t at = name.find(blocks); at != std::string::npos) return at + blocks.size();
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? 0 : dot + 1;
}

}  // namespace

std::string tellingName(const std::string& name) {
  const std::size_t from = tellingFrom(name), first = name.find('.');
  return first == std::string::npos || from <= first + 2
             ? name
             : name.substr(0, first) + std::string(cut) + name.substr(from);
}

std::string shortenedName(const std::string& name, float room,
                          const std::function<float(const std::string&)>& width) {
  if (width(name) <= room) return name;
  const std::size_t from = tellingFrom(name);
  const std::string telling = name.substr(from);
  for (std::size_t kept = from; kept-- > 0;)
    if (std::string shorter = name.substr(0, kept) + std::string(cut) + telling; width(shorter) <= room)
      return shorter;
  for (std::size_t gone = 1; gone < telling.size(); ++gone)
    if (std::string shorter = std::string(cut) + telling.substr(gone); width(shorter) <= room) return shorter;
  return std::string(cut);
}

}  // namespace glassformer
