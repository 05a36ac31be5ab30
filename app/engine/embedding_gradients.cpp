#include "app/engine/embedding_gradients.h"

#include <algorithm>
#include <cmath>

#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/train/trainer.h"

namespace glassformer {

namespace {

constexpr const char *embeddingWeight = "wte.weight", *unembeddingWeight = "lm_head.weight";

// The same weights, the unembedding in a tensor of its own.
Parameters withOwnUnembedding(const Transformer& model, const ModelConfig& untied) {
  Parameters own(parameterSpecs(untied));
  for (int i = 0; i < own.count(); ++i) {
    const std::string& name = own.spec(i).name;
    const bool isShared = name == unembeddingWeight && model.config().tiedUnembedding;
    const std::vector<float> values = model.parameters()[isShared ? embeddingWeight : name].copy();
    std::ranges::copy(values, own.values().begin() + static_cast<std::ptrdiff_t>(own.offset(i)));
  }
  return own;
}

class EndsMeasurement final : public KeptMeasurement {
 public:
  explicit EndsMeasurement(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override {
    put(snapshot, {isOf(of, snapshot) ? measured_ : nullptr}, ofOpenTextAlone());
  }

  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin&) override {
    const bool isThere = snapshot.pass->hasTrace() && !snapshot.isDifference() &&
                         snapshot.model->continues() && snapshot.pass->trace->tokenCount() > 1;
    if (!isThere || isMoving(of.workspace, snapshot) || isOf(of, snapshot)) return false;
    model_ = of.model.shown->transformer, trace_ = snapshot.pass->trace, measured_ = nullptr;
    return true;
  }

  void measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
               const std::function<void()>& more) override {
    if (!isOf(of, snapshot) || measured_) return;
    const Watch watch = begin("following the gradient to both ends of E");
    if (!watch(0, 1)) return;
    const EndGradients gradients = gradientsAtBothEnds(*model_, trace_->tokens(), trace_->source(), threads_);
    if (!watch(1, 1)) return;
    measured_ = asTensors(gradients);
    more();
  }

 private:
  bool isOf(const MeasuredModel& of, const Snapshot& snapshot) const {
    return model_ && model_ == of.model.shown->transformer && trace_ == snapshot.pass->trace;
  }

  std::shared_ptr<const TensorSet> asTensors(const EndGradients& gradients) const {
    const int V = model_->config().vocabulary, D = model_->config().width;
    Tensor through({2, V}), together({V}), cosine({V});
    double all[3] = {};
    for (int v = 0; v < V; ++v) {
      double in = 0, out = 0, dot = 0;
      for (int d = 0; d < D; ++d) {
        const std::size_t i =
            static_cast<std::size_t>(v) * static_cast<std::size_t>(D) + static_cast<std::size_t>(d);
        const double a = gradients.in[i], b = gradients.out[i];
        in += a * a, out += b * b, dot += a * b;
      }
      const double sum = in + 2 * dot + out;
      through(0, v) = static_cast<float>(std::sqrt(in)), through(1, v) = static_cast<float>(std::sqrt(out));
      together(v) = static_cast<float>(std::sqrt(std::max(0.0, sum)));
      cosine(v) = in > 0 && out > 0 ? static_cast<float>(dot / std::sqrt(in * out)) : NAN;
      all[0] += in, all[1] += out, all[2] += sum;
    }
    auto set = std::make_shared<TensorSet>();
    set->add(
        {bothEnds::through, "2V",
         "what reaches a token's vector: through the embedding, and through the unembedding", "‖∂L / ∂E_v‖"},
        std::move(through));
    set->add({bothEnds::together, "V", "what reaches a token's vector where both ends are one tensor",
              "‖∂L / ∂E_v‖ of the sum"},
             std::move(together));
    set->add({bothEnds::cosine, "V", "whether both ends pull a token's vector the same way",
              "cosine of the two gradients"},
             std::move(cosine));
    set->add({bothEnds::all, "3", "of all tokens: through the embedding, the unembedding, both", "√Σ g²"},
             Tensor({3}, {static_cast<float>(std::sqrt(all[0])), static_cast<float>(std::sqrt(all[1])),
                          static_cast<float>(std::sqrt(std::max(0.0, all[2])))}));
    set->add({bothEnds::loss, "1", "the mean loss of the text's next tokens, in nats", "L"},
             Tensor({1}, {static_cast<float>(gradients.loss)}));
    return set;
  }

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const TensorSet> measured_;
};

}  // namespace

EndGradients gradientsAtBothEnds(const Transformer& model, std::span<const int> tokens,
                                 std::span<const int> source, int threads) {
  ModelConfig untied = model.config();
  untied.tiedUnembedding = false, untied.dropout = 0;
  TrainingOptions options;
  options.sequences = options.shards = 1;
  options.positions = static_cast<int>(tokens.size()) - 1;
  options.sourcePositions = static_cast<int>(source.size());
  Trainer trainer(untied, withOwnUnembedding(model, untied), options, threads);
  Batch batch;
  batch.tokens.assign(tokens.begin(), tokens.end() - 1);
  batch.targets.assign(tokens.begin() + 1, tokens.end());
  batch.source.assign(source.begin(), source.end());
  if (!source.empty()) batch.sourceLengths = {options.sourcePositions};
  AlignedVector all;
  EndGradients gradients;
  gradients.loss = trainer.gradients(batch, all);
  const Parameters& parameters = trainer.model().parameters();
  const auto part = [&](const char* name) {
    const int i = parameters.find(name);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(parameters.offset(i));
    return AlignedVector(begin, begin + static_cast<std::ptrdiff_t>(parameters.view(i).size()));
  };
  gradients.in = part(embeddingWeight), gradients.out = part(unembeddingWeight);
  return gradients;
}

namespace needs {
const Need endsOfEmbedding{.name = "gradient from both ends of E", .kept = keptAs<EndsMeasurement>};
}  // namespace needs

}  // namespace glassformer
