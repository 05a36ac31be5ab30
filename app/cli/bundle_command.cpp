#include "app/cli/bundle_command.h"

#include <cstdio>

#include "app/bundles/pack.h"
#include "app/cli/percent_lines.h"

namespace glassformer {

Status BundleCommand::run(const ModelLibrary& library) const {
  const std::filesystem::path file =
      out.empty() ? std::filesystem::path(what).stem().string() + packExtension : out;
  return packFile(what, shelf, packFolders(library.builtIn(), {}), file,
                  percentLines(stderr, "packing", std::chrono::seconds(1)));
}

ProgressCallback unpackingLines() { return percentLines(stderr, "unpacking", std::chrono::seconds(1)); }

}  // namespace glassformer
