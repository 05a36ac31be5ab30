#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/pack_command.h"
#include "app/packs/pack.h"

namespace glassformer {

void PackCommand::addOptions(CLI::App& command) {
  command.add_option("what", what, "a session's file, a lesson's, or the name of a lesson that ships")
      ->required();
  command.add_option("--out", out,
                     std::string("the file to write (the same name with ") + packExtension + ")");
}

}  // namespace glassformer
