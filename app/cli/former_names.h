#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Names that commands and options had before: they still work, and are listed nowhere.
struct FormerCommand {
  const char *former, *today;
};
std::span<const FormerCommand> formerCommands();

/// An option without its dashes, of a command by its name of today.
struct FormerOption {
  const char* command;  ///< empty: of every command that has no such option itself
  const char *former, *today;
};
std::span<const FormerOption> formerOptions();

/// Arguments with the names of today, and a line about each name that was replaced.
struct RenamedArguments {
  std::vector<std::string> arguments;  ///< without the program
  std::vector<std::string> notes;      ///< "--off is now called --ablate"
};
RenamedArguments withNamesOfToday(std::vector<std::string> arguments);

}  // namespace glassformer
