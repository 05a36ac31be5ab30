#include "app/document/decoding_commands.h"

#include "app/document/view_commands.h"
#include "app/document/workspace.h"

namespace glassformer::commands {

Command setDecoding(Decoding decoding, std::string undoName, std::string gesture) {
  return {[decoding](Workspace& w) { w.decoding = decoding; }, std::move(undoName), std::move(gesture), true};
}

Command toggleFold(std::vector<int> path) {
  return changeSettings([path = std::move(path)](ViewSettings& settings) {
    auto& folded = settings.beam.folded;
    if (std::erase(folded, path) == 0) folded.push_back(path);
  });
}

}  // namespace glassformer::commands
