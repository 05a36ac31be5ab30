#include "app/bundles/pack.h"
#include "app/cli/bundle_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void BundleCommand::addOptions(CLI::App& command) {
  command.add_option("what", what, "session file, lesson file, or a built-in lesson")->required();
  command.add_option("--out", out,
                     std::string("file to write (default: the same name with ") + packExtension + ")");
}

}  // namespace glassformer
