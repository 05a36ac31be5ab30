#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// Checks of what was written on the command line, in our own words. Heavy: include in .cpp files only.

/// A number from `least` to `most`, which are named; neither infinite nor "nan".
CLI::Validator numberWithin(double least, double most);
/// The same without an upper limit.
CLI::Validator numberFrom(double least);
/// What a generator of random numbers starts from: any 64 bits.
CLI::Validator seedNumber();
/// More than zero.
CLI::Validator positiveNumber();
/// A file or folder that exists; what stands in its place may have been meant as a command.
CLI::Validator somethingThere();
/// As few digits as mean the same number: "0.95".
std::string shortNumber(double number);

/// What the library says of wrong usage, as one line to which nothing that was typed can add another, nor
/// speak to the terminal.
std::string usageLine(const CLI::ParseError& error);

}  // namespace glassformer
