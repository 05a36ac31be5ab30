#include "app/cli/options/checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "app/document/metric_settings.h"
#include "core/model/memory_need.h"
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

std::string rangeWords(double least, double most) {
  return " from " + shortNumber(least) + (std::isfinite(most) ? " to " + shortNumber(most) : " on");
}

std::string listed(const std::vector<std::string>& words, const char* separator) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : separator) + word;
  return list;
}

}  // namespace

std::string shortNumber(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

CLI::Validator numberWithin(double least, double most) {
  return numberCheck("a number" + rangeWords(least, most),
                     [=](double number) { return number >= least && number <= most; });
}

CLI::Validator wholeWithin(double least, double most) {
  constexpr double largest = std::numeric_limits<int>::max();
  return numberCheck("a whole number" + rangeWords(least, most), [=](double number) {
    return number >= least && number <= std::min(most, largest) && number == std::floor(number);
  });
}

CLI::Validator wholeFrom(double least) { return wholeWithin(least, INFINITY); }

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

CLI::Validator somethingWritten() {
  return CLI::Validator([](const std::string& text) { return text.empty() ? "the text is empty" : ""; }, "");
}

std::optional<double> bytesIn(std::string_view amount) {
  for (const auto& [unit, bytes] : {std::pair{"GB", 1e9}, std::pair{"MB", 1e6}}) {
    if (!amount.ends_with(unit)) continue;
    amount.remove_suffix(2);
    if (amount.ends_with(' ')) amount.remove_suffix(1);
    const auto number = finiteNumber(std::string(amount));
    return number ? std::optional(*number * bytes) : std::nullopt;
  }
  return std::nullopt;
}

CLI::Validator amountOfMemory(double least, double most) {
  const auto check = [=](const std::string& text) {
    const auto bytes = bytesIn(text);
    return bytes && *bytes >= least && *bytes <= most
               ? std::string()
               : inQuotes(text) + " is not an amount from " + byteWords(least) + " to " + byteWords(most) +
                     ", such as 4GB";
  };
  return CLI::Validator(check, "");
}

CLI::Validator somethingThere() {
  const auto check = [](const std::string& text) {
    std::error_code error;
    return std::filesystem::exists(text, error) ? std::string()
                                                : "no command and no file is called " + inQuotes(text);
  };
  return CLI::Validator(check, "");
}

CLI::Validator positiveNumber() {
  return numberCheck("a number above 0", [](double number) { return number > 0; });
}

CLI::Validator oneOf(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& text) {
    const bool isOne = std::ranges::find(words, text) != words.end();
    return isOne ? std::string() : inQuotes(text) + " is none of " + listed(words, ", ");
  };
  return CLI::Validator(check, "{" + listed(words, ",") + "}");
}

CLI::Validator positionsCounted() {
  const auto check = [](const std::string& text) {
    const bool isNamed = text == "trained" || text == allPositions || text == lastPosition;
    return isNamed || listedPositions(text, 0)
               ? std::string()
               : inQuotes(text) + " is neither trained, all nor last, nor a list such as 7-9,12";
  };
  return CLI::Validator(check, "");
}

std::string usageLine(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  // What is not known may be what is missing, misspelt.
  const bool isMissing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr,
             isExtra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string words = (isMissing || isExtra) && !unknown.empty()
                                ? inQuotes(unknown.front()) + " is not known here"
                                : error.what();
  return excerpt(words, 400) + " (--help lists them)";
}

}  // namespace glassformer
