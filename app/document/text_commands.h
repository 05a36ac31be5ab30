#pragma once
#include <string>

#include "app/document/command.h"
#include "app/document/decode_history.h"
#include "app/document/tab_text.h"

namespace glassformer::commands {

Command setText(std::string text, std::string mergeKey = "");
/// What a model that reads a source reads.
Command setSource(std::string source, std::string mergeKey = "");
/// Puts `added` behind `base`, and notes who chose it; nothing where the text is no longer the one that it
/// continues.
Command appendText(std::string base, std::string added, ChosenBy by);
/// A tab with another text beside the open one, which opens.
Command newTab(TabText writing = {});
Command openTab(int tab);
/// The last tab that is left stays, emptied.
Command closeTab(int tab);

}  // namespace glassformer::commands
