#include "app/document/intervention_list.h"

#include <optional>
#include <utility>

namespace glassformer {

namespace {

// The i-th of the list, with the places of the paused ones as the list has them: others may have been taken
// out since.
std::optional<ListedIntervention> numbered(Content& content, std::size_t i) {
  const std::vector<ListedIntervention> all = listedInterventions(content);
  for (std::size_t place = 0; place < all.size(); ++place)
    if (!all[place].acts) content.paused[all[place].at].place = place;
  return i < all.size() ? std::optional(all[i]) : std::nullopt;
}

template <typename Value>
void eraseAt(std::vector<Value>& values, std::size_t i) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
}
template <typename Value>
void insertAt(std::vector<Value>& values, std::size_t i, Value value) {
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(i), std::move(value));
}

// From one kind to the other: of the i that stand before it, those that are not of its own kind are of the
// other.
void pauseOrResume(Content& content, const ListedIntervention& listed, std::size_t i) {
  Intervention moved = *listed.intervention;
  if (listed.acts) {
    eraseAt(content.interventions, listed.at);
    insertAt(content.paused, i - listed.at, PausedIntervention{std::move(moved), i});
  } else {
    eraseAt(content.paused, listed.at);
    insertAt(content.interventions, i - listed.at, std::move(moved));
  }
}

// Those behind it move up.
void remove(Content& content, const ListedIntervention& listed, std::size_t i) {
  if (listed.acts)
    eraseAt(content.interventions, listed.at);
  else
    eraseAt(content.paused, listed.at);
  for (PausedIntervention& other : content.paused)
    if (other.place > i) --other.place;
}

template <typename Change>
Command changeOf(std::size_t i, Change change, std::string gesture = "") {
  return {[i, change = std::move(change)](Workspace& w) {
            if (const auto listed = numbered(w, i)) change(w, *listed);
          },
          "intervention", std::move(gesture)};
}

}  // namespace

std::vector<ListedIntervention> listedInterventions(const Content& content) {
  const Interventions& acting = content.interventions;
  const std::vector<PausedIntervention>& paused = content.paused;
  std::vector<ListedIntervention> all;
  std::size_t a = 0, p = 0;
  while (a < acting.size() || p < paused.size())
    if (p < paused.size() && (paused[p].place <= all.size() || a == acting.size()))
      all.push_back({&paused[p].intervention, false, p}), ++p;
    else
      all.push_back({&acting[a], true, a}), ++a;
  return all;
}

void toggleIntervention(Content& content, const Intervention& intervention) {
  if (std::erase(content.interventions, intervention) > 0) return;
  std::erase_if(content.paused,
                [&](const PausedIntervention& paused) { return paused.intervention == intervention; });
  content.interventions.push_back(intervention);
}

void removeInterventions(Content& content) { content.interventions.clear(), content.paused.clear(); }

namespace commands {

Command pauseIntervention(std::size_t i) {
  return changeOf(
      i, [i](Content& content, const ListedIntervention& listed) { pauseOrResume(content, listed, i); });
}

Command changeIntervention(std::size_t i, Intervention changed, std::string gesture) {
  return changeOf(
      i,
      [changed = std::move(changed)](Content& content, const ListedIntervention& listed) {
        (listed.acts ? content.interventions[listed.at] : content.paused[listed.at].intervention) = changed;
      },
      std::move(gesture));
}

Command removeIntervention(std::size_t i) {
  return changeOf(i, [i](Content& content, const ListedIntervention& listed) { remove(content, listed, i); });
}

Command clearInterventions() {
  return {[](Workspace& w) { removeInterventions(w); }, "interventions", ""};
}

}  // namespace commands
}  // namespace glassformer
