#include "app/engine/engine.h"

#include <exception>
#include <optional>

#include "app/document/steps.h"
#include "app/engine/decoder.h"
#include "core/lens/logit_lens.h"
#include "core/lens/positions.h"
#include "core/lens/residual_stream.h"
#include "core/lens/scores.h"

namespace glassformer {

namespace {

// What changes nothing that is computed.
bool sameComputation(const Workspace& a, const Workspace& b) {
  return a.model == b.model && a.text == b.text && a.interventions == b.interventions &&
         a.decoding == b.decoding && a.selection == b.selection && a.step == b.step &&
         (a.view == "step") == (b.view == "step");
}

}  // namespace

// Everything that lives on the engine's thread.
class Engine::Worker {
 public:
  explicit Worker(Engine& engine) : engine_(engine) {}

  void answer(const Workspace& workspace, std::uint64_t revision) {
    auto snapshot = std::make_shared<Snapshot>();
    if (answered_ && sameComputation(workspace, *answered_)) *snapshot = *engine_.latest();
    snapshot->revision = revision;
    if (!answered_ || !sameComputation(workspace, *answered_)) {
      compute(workspace, *snapshot);
      answered_ = workspace;
    }
    engine_.publish(snapshot);
    decode(workspace, *snapshot);
  }

 private:
  void compute(const Workspace& workspace, Snapshot& snapshot) {
    if (!useModel(workspace.model, snapshot)) return;
    const ModelConfig& config = model_.transformer->config();
    snapshot.model = model_.name;
    snapshot.config = config;
    snapshot.vocabulary = vocabulary_;
    snapshot.vocabularyBytes = vocabularyBytes_;
    snapshot.modelMeasurements = modelMeasurements_;
    encode(workspace.text, snapshot);
    tokens_.clear();
    for (const TokenPiece& token : snapshot.tokens)
      if (static_cast<int>(tokens_.size()) < config.context) tokens_.push_back(token.id);
    if (tokens_.empty()) return;
    snapshot.trace = pass_->run(tokens_, workspace.interventions);
    snapshot.measurements = measure(workspace, *snapshot.trace);
    keepDecoding(*engine_.latest(), snapshot);
  }

  bool useModel(const std::string& name, Snapshot& snapshot) {
    if (name == loadedName_ && model_.transformer) return true;
    Result<LoadedModel> loaded = engine_.loader_(name);
    if (!loaded) {
      snapshot.error = loaded.error().message();
      snapshot.text = "";
      return false;
    }
    model_ = std::move(*loaded);
    loadedName_ = name;
    decoder_.reset();  // it uses the pass
    pass_ = std::make_unique<LivePass>(model_.transformer, engine_.threads_);
    auto labels = std::make_shared<std::vector<std::string>>();
    for (int id = 0; id < model_.tokenizer->vocabularySize(); ++id)
      labels->push_back(model_.tokenizer->tokenLabel(id));
    vocabulary_ = std::move(labels);
    auto bytes = std::make_shared<std::vector<std::string>>();
    for (int id = 0; id < model_.tokenizer->vocabularySize(); ++id)
      bytes->push_back(id == model_.tokenizer->endOfText() ? "" : model_.tokenizer->tokenBytes(id));
    vocabularyBytes_ = std::move(bytes);
    auto measured = std::make_shared<TensorSet>();
    measurePositions(*model_.transformer, *measured);
    modelMeasurements_ = std::move(measured);
    decoder_ = std::make_unique<Decoder>(*pass_, model_.tokenizer->endOfText());
    return true;
  }

  void encode(const std::string& text, Snapshot& snapshot) const {
    snapshot.text = text;
    for (const Token& token : model_.tokenizer->encode(text))
      snapshot.tokens.push_back({token.id, (*vocabulary_)[static_cast<std::size_t>(token.id)],
                                 static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end)});
  }

  std::shared_ptr<const TensorSet> measure(const Workspace& workspace, const Trace& trace) const {
    auto set = std::make_shared<TensorSet>();
    const ModelConfig& config = model_.transformer->config();
    const int last = trace.tokenCount() - 1, chosen = workspace.selection.query;
    const auto steps = stepsOf(config);
    const Step& step =
        steps[static_cast<std::size_t>(std::clamp(workspace.step, 0, static_cast<int>(steps.size()) - 1))];
    const int layer = workspace.view == "step" && step.layer >= 0 ? step.layer : workspace.selection.layer;
    measureResidualStream(trace, config.layers, *set);
    measureLogitLens(*model_.transformer, trace, chosen < 0 ? last : std::min(chosen, last), *set);
    measureScores(trace, config, std::clamp(layer, 0, config.layers - 1),
                  std::clamp(workspace.selection.head, 0, config.heads - 1), *set);
    return set;
  }

  // Decoding takes longer than everything else: it follows in a snapshot of its own, and is given up as soon
  // as something newer is asked for.
  void decode(const Workspace& workspace, const Snapshot& snapshot) {
    if (!snapshot.hasTrace() || !decoder_) return;
    auto complete = std::make_shared<Snapshot>(snapshot);
    const bool done =
        decoder_->decode(tokens_, workspace, *complete, [this] { return engine_.superseded(); });
    if (done && !sameDecoding(*complete, snapshot)) engine_.publish(std::move(complete));
  }
  static bool sameDecoding(const Snapshot& a, const Snapshot& b) {
    return a.beam == b.beam && a.continuationMeasurements == b.continuationMeasurements &&
           a.decodedText == b.decodedText;
  }
  static void keepDecoding(const Snapshot& from, Snapshot& to) {
    if (from.vocabulary != to.vocabulary) return;
    to.decodedText = from.decodedText;
    to.beam = from.beam, to.beamMeasurements = from.beamMeasurements;
    to.continuation = from.continuation, to.continuationMeasurements = from.continuationMeasurements;
  }

  Engine& engine_;
  std::optional<Workspace> answered_;
  std::string loadedName_;
  LoadedModel model_;
  std::unique_ptr<LivePass> pass_;
  std::unique_ptr<Decoder> decoder_;
  std::shared_ptr<const std::vector<std::string>> vocabulary_, vocabularyBytes_;
  std::shared_ptr<const TensorSet> modelMeasurements_;
  std::vector<int> tokens_;
};

Engine::Engine(ModelLoader loader, std::function<void()> published, int threads)
    : loader_(std::move(loader)),
      published_(std::move(published)),
      threads_(threads),
      thread_([this] { loop(); }) {}

Engine::~Engine() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Engine::request(const Workspace& workspace, std::uint64_t revision) {
  {
    const std::lock_guard lock(mutex_);
    pending_ = std::make_unique<std::pair<Workspace, std::uint64_t>>(workspace, revision);
  }
  wake_.notify_all();
}

std::shared_ptr<const Snapshot> Engine::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void Engine::finish() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !pending_ && !working_; });
}

bool Engine::superseded() const {
  const std::lock_guard lock(mutex_);
  return pending_ || stopping_;
}

void Engine::publish(std::shared_ptr<const Snapshot> snapshot) {
  {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(snapshot);
  }
  published_();
}

void Engine::loop() {
  Worker worker(*this);
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return pending_ || stopping_; });
    if (stopping_) return;
    const auto [workspace, revision] = std::move(*std::exchange(pending_, nullptr));
    working_ = true;
    lock.unlock();
    try {
      worker.answer(workspace, revision);
    } catch (const std::exception& e) {  // out of memory and the like: say it, keep going
      auto failed = std::make_shared<Snapshot>(*latest());
      failed->revision = revision;
      failed->error = std::string("this could not be computed: ") + e.what();
      publish(std::move(failed));
    }
    lock.lock();
    working_ = false;
    if (!pending_) idle_.notify_all();
  }
}

}  // namespace glassformer
