#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "app/document/command.h"

namespace glassformer {

struct Workspace;

/// A trace from elsewhere, what another program has computed, opens as a model without weights: the model's
/// name is the file's. The texts of its tabs are further such files, by their paths; an empty one stands for
/// the model's own.
bool isTraceFile(std::string_view model);
/// The trace that a tab shows, by its text.
std::string traceInTab(const std::string& model, const std::string& text);

/// What is said wherever more than a trace from elsewhere is needed.
inline constexpr const char* needsWeightsWords =
    "This needs the model's weights; recorded activations have none.";

/// What a trace cannot take, in one sentence: that its text is edited, or that anything is computed anew.
/// Empty: the change is none of that.
std::string whyTraceRefuses(const Workspace& before, const Workspace& after);

namespace commands {
/// Opens a trace; beside one that is open in a tab of its own.
Command openTrace(const std::filesystem::path& file);
}  // namespace commands

}  // namespace glassformer
