#include "core/lens/alignment.h"

#include <algorithm>

namespace glassformer {

namespace {

// Lengths of the longest common subsequences of all endings: at(i, j) of a[i..) and b[j..).
class CommonLengths {
 public:
  CommonLengths(std::span<const int> a, std::span<const int> b)
      : width_(b.size() + 1), lengths_((a.size() + 1) * width_) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        lengths_[i * width_ + j] = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  int at(std::size_t i, std::size_t j) const { return lengths_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<int> lengths_;
};

}  // namespace

int Alignment::columnOfA(int position) const {
  for (int i = 0; i < count(); ++i)
    if (position >= 0 && (*this)[i].a == position) return i;
  return -1;
}

int Alignment::columnOfB(int position) const {
  for (int i = 0; i < count(); ++i)
    if (position >= 0 && (*this)[i].b == position) return i;
  return -1;
}

Alignment align(std::span<const int> a, std::span<const int> b) {
  const CommonLengths common(a, b);
  Alignment alignment;
  std::size_t i = 0, j = 0, gapA = 0, gapB = 0;  // since the last kept token: first of the differing ones
  const auto closeGap = [&] {
    for (; gapA < i || gapB < j; ++gapA, ++gapB)
      alignment.columns.push_back(
          {gapA < i ? static_cast<int>(gapA) : -1, gapB < j ? static_cast<int>(gapB) : -1});
  };
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      closeGap();
      alignment.columns.push_back({static_cast<int>(i++), static_cast<int>(j++)});
      gapA = i, gapB = j;
    } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  i = a.size(), j = b.size();
  closeGap();
  return alignment;
}

}  // namespace glassformer
