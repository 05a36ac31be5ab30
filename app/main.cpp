#include <cstdio>

#include "app/shell/launch.h"

using namespace glassformer;

int main() {
  LaunchOptions options;
  options.loader = [](const std::string& name) -> Result<LoadedModel> {
    return Error{"this build cannot read models yet", name, "the reader of model directories is on its way"};
  };
  if (const Status status = launch(options); !status) {
    std::fprintf(stderr, "glassformer: %s\n", status.error().message().c_str());
    return 1;
  }
  return 0;
}
