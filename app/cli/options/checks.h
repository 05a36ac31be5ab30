#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// Checks of what was written on the command line, in our own words. Heavy: include in .cpp files only.

/// A number from `least` to `most`, which are named where they are finite; neither infinite nor "nan".
CLI::Validator numberWithin(double least, double most);
/// The same of a whole number, which an int holds.
CLI::Validator wholeWithin(double least, double most);
CLI::Validator wholeFrom(double least);
/// What a generator of random numbers starts from: any 64 bits.
CLI::Validator seedNumber();
/// An amount of memory within these bounds, in bytes: "4GB", "1.5 GB", "800MB".
CLI::Validator amountOfMemory(double least, double most);
/// As many bytes; nothing where that is no amount of memory.
std::optional<double> bytesIn(std::string_view amount);
/// More than zero.
CLI::Validator positiveNumber();
/// A text that is not empty.
CLI::Validator somethingWritten();
/// A file or folder that exists; what stands in its place may have been meant as a command.
CLI::Validator somethingThere();
/// As few digits as mean the same number: "0.95".
std::string shortNumber(double number);

/// One of these words, which help and refusal list.
CLI::Validator oneOf(const std::vector<std::string>& words);

/// Which tokens a mean is taken over: trained, all, last, or a list.
CLI::Validator positionsCounted();

/// What was wrong in how the program was called, as one line to which nothing that was typed can add another,
/// nor speak to the terminal. What nobody knows is named before what is missing.
std::string usageLine(const CLI::App& app, const CLI::ParseError& error);

}  // namespace glassformer
