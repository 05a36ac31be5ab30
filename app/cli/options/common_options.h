#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/interventions_option.h"

namespace glassformer {

/// Options of many commands, in the same words in each. Heavy: include in .cpp files only.

/// A tooltip as help has it: without a capital, where that is no name's.
std::string helpWords(std::string tip);

void addModel(CLI::App& command, std::string& model);
/// The text that is read; without one that which the window starts with.
/// Not the empty text: without the option another one is read.
CLI::Option* addText(CLI::App& command, std::string& text,
                     const std::string& meaning = "input text (default: the text of the first start)");
CLI::Option* addSource(CLI::App& command, std::string& source);
void addChoices(CLI::App& command, std::vector<std::string>& choices);
void addInterventions(CLI::App& command, InterventionOptions& interventions);
/// Which texts of its task are read: how many, and from what random numbers.
CLI::Option* addTexts(CLI::App& command, int& texts, const std::string& meaning);
void addSeed(CLI::App& command, std::uint64_t& seed, const std::string& meaning);
/// The metric of an experiment, id of metricChoices; its names of before are read, too.
void addMetric(CLI::App& command, std::string& metric, const std::string& meaning);
/// In place of words; only one of them.
void addJsonOrCsv(CLI::App& command, bool& json, bool& csv);
/// Of all that keeps passes: sets the program's budget as soon as it is read.
void addMemory(CLI::App& command);

}  // namespace glassformer
