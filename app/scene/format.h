#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace glassformer {

/// Numbers as people read them: "0.134", "−2.05", "1.3e−5", "0", "−∞", "NaN". Always three significant digits
/// or three decimals, with a real minus sign.
std::string formatted(float value);
/// The same without trailing zeros, for axes and scales: "1", "−0.5", "5.237".
std::string formattedShort(float value);
/// With exactly this many decimals, for columns that align at the point.
std::string formattedFixed(float value, int decimals);
/// In a small cell, with two decimals; where these would be zeros, with three and without the first: "0.34",
/// ".003", and "0" for what is less.
std::string formattedCell(float value);
/// In a cell still smaller, in four signs: ".34", "−.07", "1.52", "−1.5", "15.8", "24".
std::string formattedTight(float value);
/// A share as "12.3 %"; below 0.05 % as "< 0.1 %".
std::string formattedPercent(float share);
/// "0.85 to 0.90": one of as many equal parts of 0 to 1.
std::string formattedBin(int bin, int bins);
/// What counts something: all of its digits where it is whole, else as any number.
std::string formattedCounted(double value);
/// A number of the tensor of that name. Where what is measured has no number, "—", such as for the steps of a
/// run that are still to come; or that a rule says nothing there. What a pass computes may be "NaN".
std::string formattedValue(std::string_view tensor, float value);
/// A count in at most four characters and a unit: "512", "1.09 M" for 1,089,536.
std::string formattedCount(std::int64_t n);
/// "1 term", "3 terms"; `many` where that is not the one with an s.
std::string countWords(std::int64_t n, const std::string& one, const std::string& many = "");
/// "[5, 3]" for an index of this rank.
std::string formattedIndex(const int* index, int rank);

}  // namespace glassformer
