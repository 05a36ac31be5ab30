#include "core/text/aligned_text.h"

#include <algorithm>

namespace glassformer {

AlignedText AlignedText::part(std::size_t begin, std::size_t end) const {
  AlignedText part(text_.substr(begin, end - begin));
  if (begin == 0 && origins_.empty()) return part;
  for (std::size_t byte = begin; byte < end; ++byte) part.origins_.push_back(originOf(byte));
  return part;
}

void Rewriting::keep(std::size_t end) {
  made_.text_.append(from_.text_, at_, end - at_);
  for (; at_ < end; ++at_) made_.origins_.push_back(from_.originOf(at_));
}

// Of the bytes up to `end`; nothing before the next byte where there are none.
AlignedText::Origin Rewriting::originOf(std::size_t end) const {
  if (end > at_) return {from_.originOf(at_).begin, from_.originOf(end - 1).end};
  const auto place =
      at_ < from_.size() ? from_.originOf(at_).begin : static_cast<std::uint32_t>(from_.endOf(from_.size()));
  return {place, place};
}

void Rewriting::replace(std::size_t end, std::string_view by) {
  const AlignedText::Origin origin = originOf(end);
  if (by.empty() && !made_.origins_.empty()) made_.origins_.back().end = origin.end;
  made_.text_ += by;
  made_.origins_.insert(made_.origins_.end(), by.size(), origin);
  at_ = end;
}

}  // namespace glassformer
