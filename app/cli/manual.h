#pragma once
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace glassformer {

/// The commands and their options as other programs want them, read off the description that parses them.

/// A page for man(1), in man(7)'s macros.
std::string manualPage(const CLI::App& app);

/// A script that completes commands and options: "bash", "zsh" or "fish".
std::string completions(const CLI::App& app, std::string_view shell);

}  // namespace glassformer
