#pragma once
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"

namespace glassformer {

/// One of the interventions as people see them: those that act, in the order in which they do, and between
/// them those that are paused.
struct ListedIntervention {
  const Intervention* intervention = nullptr;  ///< in the content that was asked
  bool acts = true;
  std::size_t at = 0;  ///< among Content::interventions, or among Content::paused
};
std::vector<ListedIntervention> listedInterventions(const Content& content);

/// Takes it out where it acts, else lets it act, and be in the list once where it was paused.
void toggleIntervention(Content& content, const Intervention& intervention);

/// Takes all of them out, the paused ones too.
void removeInterventions(Content& content);

namespace commands {

/// Of the i-th of the list; nothing where there is none. Lets it act no longer, or again, at its place: what
/// changes one number twice does so in order.
Command pauseIntervention(std::size_t i);
/// Changes of one `gesture` are undone at once.
Command changeIntervention(std::size_t i, Intervention changed, std::string gesture = "");
Command removeIntervention(std::size_t i);
Command clearInterventions();

}  // namespace commands
}  // namespace glassformer
