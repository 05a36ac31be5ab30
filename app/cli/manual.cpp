#include "app/cli/manual.h"

#include <CLI/CLI.hpp>
#include <vector>

namespace glassformer {

namespace {

using Options = std::vector<const CLI::Option*>;

// Groups of options that exclude each other are commands without a name to the parser.
std::vector<const CLI::App*> commandsOf(const CLI::App& app, bool named) {
  return app.get_subcommands([named](const CLI::App* sub) { return sub->get_name().empty() != named; });
}

Options optionsOf(const CLI::App& app) {
  Options options = app.get_options();
  for (const CLI::App* group : commandsOf(app, false))
    for (const CLI::Option* option : group->get_options()) options.push_back(option);
  return options;
}

// "lesson check" below "lesson".
struct NamedCommand {
  std::string name;
  const CLI::App* app;
};
std::vector<NamedCommand> allCommands(const CLI::App& app, const std::string& before = "") {
  std::vector<NamedCommand> all;
  for (const CLI::App* sub : commandsOf(app, true)) {
    const std::string name = before + sub->get_name();
    all.push_back({name, sub});
    for (NamedCommand& inner : allCommands(*sub, name + " ")) all.push_back(std::move(inner));
  }
  return all;
}

// Without what means something to troff.
std::string troff(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  return safe;
}

std::string optionEntry(const CLI::Option& option) {
  std::string entry = ".TP\n";
  if (option.get_positional())
    entry += "\\fI" + troff(option.get_name(true)) + "\\fR";
  else
    entry += "\\fB" + troff(option.get_name(false, true)) + "\\fR";
  const bool takesValue = !option.get_positional() && option.get_expected_max() > 0;
  if (takesValue) entry += " \\fI" + troff(option.get_type_name()) + "\\fR";
  std::string meaning = option.get_description();
  if (option.get_required()) meaning += " (needed)";
  if (takesValue && !option.get_default_str().empty()) meaning += " (" + option.get_default_str() + ")";
  return entry + "\n" + troff(meaning) + "\n";
}

std::vector<std::string> longNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : optionsOf(app))
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

std::string joined(const std::vector<std::string>& words, const std::string& before) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + before + word;
  return line;
}

std::vector<std::string> names(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::App* sub : commandsOf(app, true)) all.push_back(sub->get_name());
  return all;
}

// In single quotes, for a shell.
std::string quotedForShell(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// Words of the line before the cursor say which command's options are offered; anything else is a file.
std::string bashCompletions(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* sub : commandsOf(app, true)) {
    std::vector<std::string> inner = names(*sub);
    const std::string words = joined(longNames(*sub), "--");
    cases +=
        "    " + sub->get_name() + ") words=" + quotedForShell(words + " " + joined(inner, "")) + " ;;\n";
  }
  return "_glassformer() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words=\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "    *) words=" + quotedForShell(joined(longNames(app), "--") + " " + joined(names(app), "")) +
         " ;;\n"
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _glassformer glassformer\n";
}

std::string fishCompletions(const CLI::App& app) {
  const auto line = [](const std::string& when, const std::string& what, const std::string& meaning) {
    return "complete -c glassformer -n " + quotedForShell(when) + " " + what + " -d " +
           quotedForShell(meaning) + "\n";
  };
  std::string script;
  for (const CLI::App* sub : commandsOf(app, true)) {
    script += line("__fish_use_subcommand", "-a " + sub->get_name(), sub->get_description());
    const std::string inside = "__fish_seen_subcommand_from " + sub->get_name();
    for (const CLI::Option* option : optionsOf(*sub))
      for (const std::string& name : option->get_lnames())
        script += line(inside, "-l " + name, option->get_description());
  }
  for (const CLI::Option* option : optionsOf(app))
    for (const std::string& name : option->get_lnames())
      script += line("__fish_use_subcommand", "-l " + name, option->get_description());
  return script;
}

std::string zshCompletions(const CLI::App& app) {
  return "#compdef glassformer\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletions(app);
}

}  // namespace

std::string manualPage(const CLI::App& app) {
  std::string page = ".TH GLASSFORMER 1 \"\" \"Glassformer " GLASSFORMER_VERSION
                     "\"\n"
                     ".SH NAME\nglassformer \\- a transformer you can see through\n"
                     ".SH SYNOPSIS\n.B glassformer\n[\\fIoptions\\fR] [\\fIfile\\fR]\n.br\n"
                     ".B glassformer\n\\fIcommand\\fR [\\fIoptions\\fR]\n"
                     ".SH DESCRIPTION\n" +
                     troff(app.get_description()) + "\n.SH OPTIONS\n";
  for (const CLI::Option* option : optionsOf(app)) page += optionEntry(*option);
  page += ".SH COMMANDS\n";
  for (const NamedCommand& command : allCommands(app)) {
    page += ".SS " + troff(command.name) + "\n" + troff(command.app->get_description()) + ".\n";
    for (const CLI::Option* option : optionsOf(*command.app))
      if (option->get_lnames() != std::vector<std::string>{"help"}) page += optionEntry(*option);
  }
  return page +
         ".SH FILES\n.TP\n\\fI$XDG_STATE_HOME/glassformer/session.json\\fR\nsession of the last window, by "
         "default in \\fI~/.local/state\\fR; the same folder holds the list of recent files, and "
         "\\fIruns/\\fR, the saved training runs\n.SH ENVIRONMENT\n" +
         troff(app.get_footer()) +
         "\n.SH EXIT STATUS\n0 where everything was done, 1 where something failed, 2 where the options "
         "cannot "
         "be "
         "understood.\n";
}

std::string completions(const CLI::App& app, std::string_view shell) {
  return shell == "fish" ? fishCompletions(app) : shell == "zsh" ? zshCompletions(app) : bashCompletions(app);
}

}  // namespace glassformer
