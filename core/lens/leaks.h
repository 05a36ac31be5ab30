#pragma once
#include "core/model/transformer.h"
#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// Whether no block's mask lets token t look at token s.
bool isMaskedEverywhere(const ModelConfig& config, int t, int s);

/// Adds lens.leaks [T, S]: how far the logits at position t move, max_v |Δz[t, v]|, once token s alone is
/// another one. Every row is the difference of two passes that share nothing, so that 0 is no path at all, to
/// the bit: what is not 0 where isMaskedEverywhere() got there around the mask, through other tokens, other
/// blocks or what intervenes. `interventions` are those that the trace went through. One pass per token;
/// stopped by the watch it adds nothing.
/// Model and trace outlive the measurements, which read them again when a number is opened.
void measureLeaks(const Transformer& model, const Trace& trace, const Interventions& interventions,
                  TensorSet& measurements, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
