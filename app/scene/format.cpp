#include "app/scene/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace glassformer {

namespace {

constexpr const char* minus = "−";

std::string printed(const char* format, int precision, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, precision, value);
  return text;
}

// 3.20e-05 as 3.20e-5.
std::string scientific(double value) {
  std::string text = printed("%.*e", 2, value);
  const std::size_t digits = text.find('e') + 2;
  text.erase(digits, std::min(text.find_first_not_of('0', digits), text.size() - 1) - digits);
  return text;
}

std::string withRealMinus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at))
    text.replace(at, 1, minus);
  return text;
}

}  // namespace

std::string formatted(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const float size = std::abs(value);
  if (size == 0) return "0";
  if (size < 1e-3f || size >= 1e5f) return withRealMinus(scientific(value));
  return formattedFixed(value, size < 100 ? 3 : 1);
}

std::string formattedShort(float value) {
  std::string text = formatted(value);
  if (text.find('.') == std::string::npos) return text;
  const std::string exponent = text.substr(std::min(text.find('e'), text.size()));
  text.erase(text.size() - exponent.size());
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + exponent;
}

std::string formattedFixed(float value, int decimals) {
  if (!std::isfinite(value)) return formatted(value);
  std::string text = printed("%.*f", decimals, value);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return withRealMinus(text);
}

std::string formattedCell(float value) {
  const float size = std::abs(value);
  if (!std::isfinite(value) || size >= 0.005f) return formattedFixed(value, 2);
  if (size < 0.0005f) return "0";
  return (value < 0 ? minus : "") + formattedFixed(size, 3).substr(1);
}

std::string formattedTight(float value) {
  const float size = std::abs(value);
  if (!std::isfinite(value)) return formatted(value);
  if (size >= 99.5f || value == std::round(value)) return formattedFixed(value, 0);
  if (size >= 9.95f) return formattedFixed(value, value > 0 ? 1 : 0);
  if (size >= 0.995f) return formattedFixed(value, value > 1 ? 2 : 1);  // a share of nearly 1: three signs
  if (size < 0.005f) return "0";
  return (value < 0 ? minus : "") + formattedFixed(size, 2).substr(1);
}

std::string formattedPercent(float share) {
  if (!std::isfinite(share)) return formatted(share);
  if (share > 0 && share < 0.0005f) return "< 0.1 %";
  return formattedFixed(share * 100, 1) + " %";
}

std::string formattedCount(std::int64_t n) {
  if (n < 10000) return std::to_string(n);
  const double value = static_cast<double>(n);
  const auto in = [&](double unit, const char* name) {
    const double many = value / unit;
    return printed("%.*f ", many < 10 ? 2 : many < 100 ? 1 : 0, many) + name;
  };
  return n < 1000000 ? in(1e3, "k") : n < 1000000000 ? in(1e6, "M") : in(1e9, "G");
}

std::string countWords(std::int64_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many.empty() ? one + "s" : many);
}

std::string formattedIndex(const int* index, int rank) {
  std::string text = "[";
  for (int d = 0; d < rank; ++d) text += (d ? ", " : "") + std::to_string(index[d]);
  return text + "]";
}

std::string formattedBin(int bin, int bins) {
  const auto edge = [&](int i) {
    return formattedFixed(static_cast<float>(i) / static_cast<float>(bins), 2);
  };
  return edge(bin) + " to " + edge(bin + 1);
}

std::string formattedCounted(double value) {
  constexpr double most = 1 << 24;  // of larger ones 32 bits do not hold all digits
  const bool isWhole = value == std::round(value) && std::abs(value) <= most;
  return isWhole ? formattedFixed(static_cast<float>(value), 0) : formatted(static_cast<float>(value));
}

std::string formattedValue(std::string_view tensor, float value) {
  static constexpr std::array counted{
      "cost.",         "cache.",       "unembedding.count", "lens.serial_steps", "lens.encoder_steps",
      "samples.count", "samples.found"};
  const auto begins = [&](std::string_view name) { return tensor.starts_with(name); };
  if (!std::isnan(value))
    return std::ranges::any_of(counted, begins) ? formattedCounted(value) : formatted(value);
  static constexpr std::array measured{"training.", "hypothesis.", "biography.", "effects.",
                                       "causal.",   "edges.",      "patch.",     "change."};
  const auto isOf = [&](std::string_view begins) { return tensor.starts_with(begins); };
  if (std::ranges::none_of(measured, isOf)) return formatted(value);
  static constexpr std::array agreements{"hypothesis.agreement", "hypothesis.named", "hypothesis.of_texts",
                                         "hypothesis.named_of_texts", "biography.agreement"};
  return std::ranges::find(agreements, tensor) != agreements.end() ? "has no effect here" : "—";
}

}  // namespace glassformer
