#include "app/engine/integrated_attribution.h"

#include "app/document/attribution_settings.h"
#include "app/document/workspace.h"

namespace glassformer {

std::optional<AttributionKey> IntegratedAttribution::key(const JobSide& side) const {
  auto pass = side.pass();
  const Prediction& asked = side.snapshot.pass->predicted;
  if (!pass || asked.entry < 0 || asked.position >= pass->trace->tokenCount()) return std::nullopt;
  const ViewSettings& settings = side.workspace().settings;
  const int V = side.config().vocabulary;
  return AttributionKey{*std::move(pass),
                        {asked, chosenAgainst(settings, asked.entry, V)},
                        chosenBaseline(settings, V),
                        chosenGradients(settings)};
}

std::unique_ptr<IntegratedGradients> IntegratedAttribution::start(const AttributionKey& key, const JobSide&,
                                                                  const StartJob&) {
  const auto& [model, trace, interventions] = key.pass;
  return std::make_unique<IntegratedGradients>(*model, *trace, interventions, key.logit, key.baseline);
}

JobResult IntegratedAttribution::result(const AttributionKey&, const IntegratedGradients& gradients,
                                        const JobSide&) const {
  if (gradients.steps() == 0) return {};
  auto set = std::make_shared<TensorSet>();
  gradients.addTo(*set);
  return {std::move(set)};
}

// Token by token, where both texts have one; the path is one text's own.
JobResult IntegratedAttribution::difference(const JobResult& here, const JobResult& there,
                                            const Alignments& alignments) const {
  return differenceOf(here, there, alignments,
                      [](std::string_view name) { return name != integrated::path; });
}

bool IntegratedAttribution::goOn(const AttributionKey& key, IntegratedGradients& gradients, const JobSide&,
                                 const StartJob& begin, const std::function<void()>& more) {
  if (gradients.isFinished(key.most)) return true;
  const ProgressCallback watch = begin(doing);
  while (!gradients.isFinished(key.most)) {
    if (!watch(gradients.steps(), key.most)) return false;
    gradients.refine();
    more();
  }
  return true;
}

}  // namespace glassformer
