#pragma once
#include <functional>
#include <string>

namespace glassformer {

/// A tensor's name where there is less room than it takes, in any unit: what tells it apart from others, its
/// block and all behind, is left last: "gradient.bl…0.ln2.hook_normalized", "…0.ln2.hook_normalized".
std::string shortenedName(const std::string& name, float room,
                          const std::function<float(const std::string&)>& width);
/// What still says all but where it is looked for: "gradient…0.ln2.hook_normalized"; the name where that is
/// no shorter.
std::string tellingName(const std::string& name);

}  // namespace glassformer
