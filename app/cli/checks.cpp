#include "app/cli/checks.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/text/utf8.h"

namespace glassformer {
namespace {

std::optional<double> finiteNumber(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

// `fits` decides; what does not is refused as not being `expected`.
template <typename Fits>
CLI::Validator numberCheck(const std::string& expected, Fits fits) {
  const auto check = [expected, fits](const std::string& text) {
    const auto number = finiteNumber(text);
    return number && fits(*number) ? std::string() : inQuotes(text) + " is not " + expected;
  };
  return CLI::Validator(check, "");
}

}  // namespace

std::string shortNumber(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

CLI::Validator numberWithin(double least, double most) {
  return numberCheck("a number from " + shortNumber(least) + " to " + shortNumber(most),
                     [=](double number) { return number >= least && number <= most; });
}

CLI::Validator numberFrom(double least) {
  return numberCheck("a number from " + shortNumber(least) + " on",
                     [=](double number) { return number >= least; });
}

CLI::Validator seedNumber() {
  const auto check = [](const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && rest == end) return std::string();
    return inQuotes(text) + " is not a whole number from 0 to " +
           std::to_string(std::numeric_limits<std::uint64_t>::max());
  };
  return CLI::Validator(check, "");
}

CLI::Validator somethingThere() {
  const auto check = [](const std::string& text) {
    std::error_code error;
    return std::filesystem::exists(text, error) ? std::string()
                                                : "there is no command and no file " + inQuotes(text);
  };
  return CLI::Validator(check, "");
}

CLI::Validator positiveNumber() {
  return numberCheck("a number above 0", [](double number) { return number > 0; });
}

std::string usageLine(const CLI::ParseError& error) {
  return excerpt(error.what(), 400) + " (--help lists what there is)";
}

}  // namespace glassformer
