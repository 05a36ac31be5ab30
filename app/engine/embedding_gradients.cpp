#include "app/engine/embedding_gradients.h"

#include <algorithm>
#include <cmath>

#include "app/engine/job.h"
#include "core/lens/across_changes.h"
#include "core/lens/chain_rule.h"
#include "core/lens/next_tokens.h"
#include "core/model/point_names.h"
#include "core/trace/derived.h"
#include "core/train/trainer.h"

namespace glassformer {

namespace {

namespace endGradient {
constexpr const char *embedded = "gradient.of_embedding", *unembedded = "gradient.of_unembedding",
                     *together = "gradient.of_both_ends";
}  // namespace endGradient

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

// ∂L/∂E_v through the embedding: Σ of the gradients at every place where the token stands.
void addEmbedded(const Trace& trace, const ModelConfig& config, int token, TensorSet& gradients) {
  std::vector<std::pair<TensorView, TensorView>> rows;  // of the embedding, and of its gradient
  for (const Stream stream : {Stream::Text, Stream::Source}) {
    const std::vector<int>& tokens = stream == Stream::Text ? trace.tokens() : trace.source();
    const std::string point = stackPoint(config, "hook_embed", stream);
    for (std::size_t t = 0; t < tokens.size(); ++t)
      if (const int at = static_cast<int>(t); tokens[t] == token)
        rows.emplace_back(trace[point][at], gradients[gradientName(point)][at]);
  }
  addDerived(
      gradients,
      {endGradient::embedded, "D", "gradient of the token's vector through the embedding", "∂L / ∂E_v"},
      {config.width}, [=, scale = config.embeddingScale()](const auto& at) {
        Derivation sum;
        for (const auto& [row, gradient] : rows) sum.terms.push_back({&gradient(at[0]), nullptr, scale});
        return sum;
      });
}

// ∂L/∂W_v through the unembedding: at every place the gradient of the token's logit, times what is read
// there.
void addUnembedded(const Trace& trace, int token, TensorSet& gradients) {
  const std::string point = trace.contains("unembed.hook_out") ? "unembed.hook_out" : "logits";
  const TensorView g = gradients[gradientName(point)];
  std::vector<std::vector<Term>> logits;  // of each place: what is read, dimension by dimension
  for (int t = 0; t < trace.tokenCount(); ++t) {
    std::vector<Term>& read = logits.emplace_back();
    const Derivation logit = *trace.derive(point, {t, token});
    for (const Term& term : logit.terms)
      if (term.factor && term.other)
        read.push_back({trace.locate(term.factor) ? term.factor : term.other, nullptr, term.coefficient});
  }
  addDerived(gradients,
             {endGradient::unembedded, "D", "gradient of the token's vector through the unembedding",
              "∂L / ∂W_v = Σ ∂L/∂z · n"},
             {static_cast<int>(logits.front().size())}, [=](const auto& at) {
               Derivation sum;
               for (std::size_t t = 0; t < logits.size(); ++t) {
                 const Term& read = logits[t][static_cast<std::size_t>(at[0])];
                 sum.terms.push_back({&g(static_cast<int>(t), token), read.factor, read.coefficient});
               }
               return sum;
             });
}

void addTogether(TensorSet& gradients) {
  const TensorView in = gradients[endGradient::embedded], out = gradients[endGradient::unembedded];
  addDerived(gradients,
             {endGradient::together, "D", "gradient of the token's vector through both", "∂L / ∂E_v"},
             {in.extent[0]}, [=](const auto& at) {
               return Derivation{.terms = {{&in(at[0])}, {&out(at[0])}}};
             });
}

// The loss of a whole text, as it is without interventions.
MultiPassDerivation lossAgain(const std::shared_ptr<const Transformer>& model, const Trace& read) {
  ReplayedPass pass = passAgain("the text as it is", model, read, {});
  auto set = std::make_shared<TensorSet>();
  measureNextTokens(*pass.trace, *set);
  const Cell loss = &(*set)["lens.loss"](0);
  pass.measured = std::move(set);
  return {{.terms = {{loss}}}, {std::move(pass)}};
}

class EndsMeasurement final : public WholeJob<PassKey> {
 public:
  explicit EndsMeasurement(int threads) : threads_(threads) {}

 private:
  std::optional<PassKey> key(const JobSide& side) const override {
    auto pass = side.pass();
    const bool isPossible = pass && side.snapshot.model->continues() && pass->trace->tokenCount() > 1;
    return isPossible ? std::move(pass) : std::nullopt;
  }

  Result measureAll(const PassKey& key, const JobSide&, const StartJob& begin) override {
    const ProgressCallback watch = begin("following the gradient to both ends of E");
    if (!watch(0, 1)) return std::nullopt;
    const EndGradients gradients =
        gradientsAtBothEnds(*key.model, key.trace->tokens(), key.trace->source(), threads_);
    if (!watch(1, 1)) return std::nullopt;
    return JobResult{asTensors(key, gradients)};
  }

  // From the mean loss of the text's next tokens; what nothing follows is not read.
  static BackwardPass backward(const PassKey& key) {
    const std::vector<int>& tokens = key.trace->tokens();
    return {"the pass backward from the loss",
            key.model,
            Trace({tokens.begin(), tokens.end() - 1}, key.trace->source()),
            {},
            {{}, {tokens.begin() + 1, tokens.end()}}};
  }

  static std::shared_ptr<const TensorSet> asTensors(const PassKey& key, const EndGradients& gradients) {
    const int V = key.model->config().vocabulary, D = key.model->config().width;
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
    // Of one token's vectors, in the pass backward from the loss.
    const auto opened = [pass = backward(key), config = key.model->config()](
                            int token, const std::function<Derivation(TensorSet&)>& made) {
      return pass.opened([=](const Trace& trace, TensorSet& gradients) {
        addEmbedded(trace, config, token, gradients);
        addUnembedded(trace, token, gradients);
        addTogether(gradients);
        return made(gradients);
      });
    };
    const auto lengthOf = [opened](int token, const char* tensor) {
      return opened(token, [tensor](TensorSet& gradients) { return derivedLength(gradients[tensor]); });
    };
    set->addAcross(
        {bothEnds::through, "2V",
         "norm of the gradient of a token's vector: through the embedding, and through the unembedding",
         "‖∂L / ∂E_v‖"},
        std::move(through), [lengthOf](const auto& at) {
          return lengthOf(at[1], at[0] == 0 ? endGradient::embedded : endGradient::unembedded);
        });
    set->addAcross({bothEnds::together, "V", "norm of the gradient of a token's vector with tied embeddings",
                    "‖∂L / ∂E_v‖ of the sum"},
                   std::move(together),
                   [lengthOf](const auto& at) { return lengthOf(at[0], endGradient::together); });
    set->addAcross({bothEnds::cosine, "V", "cosine of both gradients of a token's vector",
                    "cosine of the two gradients"},
                   std::move(cosine), [opened](const auto& at) {
                     return opened(at[0], [](TensorSet& gradients) {
                       return derivedCosine(gradients[endGradient::embedded],
                                            gradients[endGradient::unembedded]);
                     });
                   });
    set->add(
        {bothEnds::all, "3", "norms over all tokens: through the embedding, the unembedding, both", "√Σ g²"},
        Tensor({3}, {static_cast<float>(std::sqrt(all[0])), static_cast<float>(std::sqrt(all[1])),
                     static_cast<float>(std::sqrt(std::max(0.0, all[2])))}),
        [through = (*set)[bothEnds::through], both = (*set)[bothEnds::together]](const auto& at) {
          return derivedLength(at[0] == 2 ? both : through[at[0]]);
        });
    set->addAcross({bothEnds::loss, "1", "the mean loss of the text's next tokens, in nats", "L"},
                   Tensor({1}, {static_cast<float>(gradients.loss)}),
                   [model = key.model, read = Trace(key.trace->tokens(), key.trace->source())](
                       const auto&) -> OpenPasses { return [=] { return lossAgain(model, read); }; });
    return set;
  }

  int threads_;
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
