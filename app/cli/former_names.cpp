#include "app/cli/former_names.h"

#include <algorithm>
#include <array>
#include <optional>

namespace glassformer {
namespace {

constexpr std::array renamedCommands{
    FormerCommand{"causal", "ablate"},       FormerCommand{"effects", "dataset"},
    FormerCommand{"flip", "counterfactual"}, FormerCommand{"why", "explain"},
    FormerCommand{"lens", "logit-lens"},     FormerCommand{"pack", "bundle"}};

// Those of one command stand before those of all.
constexpr std::array renamedOptions{FormerOption{"check", "against", "reference"},
                                    FormerOption{"check", "tokens", "token-ids"},
                                    FormerOption{"trace", "tokens", "token-ids"},
                                    FormerOption{"attribute", "steps", "max-steps"},
                                    FormerOption{"counterfactual", "to", "target"},
                                    FormerOption{"counterfactual", "listed", "top"},
                                    FormerOption{"neurons", "listed", "top"},
                                    FormerOption{"dataset", "part", "component"},
                                    FormerOption{"dataset", "best", "top"},
                                    FormerOption{"dataset", "questions", "test-questions"},
                                    FormerOption{"dataset", "tell", "metric"},
                                    FormerOption{"dataset", "alone", "text-only"},
                                    FormerOption{"dataset", "repeats", "repeated-random"},
                                    FormerOption{"heads", "repeats", "repeated-random"},
                                    FormerOption{"heads", "hypothesis", "rule"},
                                    FormerOption{"heads", "weights", "circuits"},
                                    FormerOption{"heads", "best", "top"},
                                    FormerOption{"generate", "width", "num-beams"},
                                    FormerOption{"generate", "tokens", "max-new-tokens"},
                                    FormerOption{"generate", "groups", "num-beam-groups"},
                                    FormerOption{"generate", "group-penalty", "diversity-penalty"},
                                    FormerOption{"generate", "branches", "num-return-sequences"},
                                    FormerOption{"generate", "until", "stop"},
                                    FormerOption{"generate", "match", "regex"},
                                    FormerOption{"generate", "stop-early", "early-stopping"},
                                    FormerOption{"generate", "draft", "draft-model"},
                                    FormerOption{"generate", "proposals", "draft-tokens"},
                                    FormerOption{"generate", "typical", "typical-p"},
                                    FormerOption{"tokenize", "library", "all-models"},
                                    FormerOption{"models", "choices", "options"},
                                    FormerOption{"render", "without", "hide"},
                                    FormerOption{"render", "moving", "animate"},
                                    FormerOption{"render", "points", "font-size"},
                                    FormerOption{"render", "width", "print-width"},
                                    FormerOption{"render", "hypothesis", "rule"},
                                    FormerOption{"train", "rate", "lr"},
                                    FormerOption{"train", "floor", "final-lr-ratio"},
                                    FormerOption{"train", "batch", "batch-size"},
                                    FormerOption{"train", "clip", "grad-clip"},
                                    FormerOption{"train", "taps", "kernel-size"},
                                    FormerOption{"train", "width", "dim"},
                                    FormerOption{"train", "mlp-width", "mlp-dim"},
                                    FormerOption{"train", "momentum-from", "beta1-from-step"},
                                    FormerOption{"train", "growth-behind", "growth-step"},
                                    FormerOption{"train", "equal-heads", "identical-heads"},
                                    FormerOption{"train", "sinusoidal-start", "sinusoidal-init"},
                                    FormerOption{"train", "tokens", "tokenizer"},
                                    FormerOption{"", "off", "ablate"},
                                    FormerOption{"", "change", "intervene"},
                                    FormerOption{"", "against", "contrast"}};

// "off" of "--off" and "--off=L0H1"; empty of anything else.
std::string_view optionIn(std::string_view argument) {
  if (!argument.starts_with("--")) return {};
  argument.remove_prefix(2);
  return argument.substr(0, argument.find('='));
}

// The command was an alias of "effects" once; what only that took still asks for it.
bool asksForDataset(std::span<const std::string> arguments) {
  constexpr std::array<std::string_view, 5> only{"texts", "file", "questions", "repeats", "measure"};
  return std::ranges::any_of(arguments, [&](const std::string& argument) {
    return std::ranges::find(only, optionIn(argument)) != only.end();
  });
}

std::optional<std::string_view> commandOfToday(std::span<const std::string> arguments) {
  const std::string& command = arguments.front();
  if (command == "ablate" && asksForDataset(arguments)) return "dataset";
  const auto found =
      std::ranges::find_if(renamedCommands, [&](const auto& each) { return command == each.former; });
  return found == renamedCommands.end() ? std::nullopt : std::optional<std::string_view>(found->today);
}

}  // namespace

std::span<const FormerCommand> formerCommands() { return renamedCommands; }
std::span<const FormerOption> formerOptions() { return renamedOptions; }

RenamedArguments withNamesOfToday(std::vector<std::string> arguments) {
  RenamedArguments renamed{std::move(arguments), {}};
  if (renamed.arguments.empty()) return renamed;
  const auto note = [&renamed](const std::string& former, const std::string& today) {
    const std::string line = former + " is now called " + today;
    if (std::ranges::find(renamed.notes, line) == renamed.notes.end()) renamed.notes.push_back(line);
  };
  std::string& command = renamed.arguments.front();
  if (const auto today = commandOfToday(renamed.arguments)) {
    note(command, std::string(*today));
    command = *today;
  }
  for (std::string& argument : std::span(renamed.arguments).subspan(1)) {
    const std::string_view option = optionIn(argument);
    const auto found = std::ranges::find_if(renamedOptions, [&](const FormerOption& each) {
      return option == each.former && (*each.command == '\0' || command == each.command);
    });
    if (found == renamedOptions.end()) continue;
    note("--" + std::string(option), std::string("--") + found->today);
    argument.replace(2, option.size(), found->today);
  }
  return renamed;
}

}  // namespace glassformer
