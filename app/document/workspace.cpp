#include "app/document/workspace.h"

namespace glassformer {

Workspace initialWorkspace() {
  Workspace workspace;
  workspace.text = "The animal didn't cross the street because it was too tired.";
  return workspace;
}

std::string nameOf(DecodingStrategy strategy) {
  switch (strategy) {
    case DecodingStrategy::Greedy:
      return "greedy decoding";
    case DecodingStrategy::Sampling:
      return "sampling";
    case DecodingStrategy::Beam:
      return "beam search";
  }
  return "";
}

}  // namespace glassformer
