#include "app/engine/engine.h"

#include <exception>
#include <optional>

#include "app/engine/decoder.h"
#include "app/engine/difference_snapshot.h"
#include "app/engine/measurements.h"
#include "core/lens/positions.h"

namespace glassformer {

namespace {

// What changes nothing that is computed.
bool sameComputation(const Workspace& a, const Workspace& b) {
  return a.model == b.model && a.text == b.text && a.source == b.source && a.aside == b.aside &&
         a.tab == b.tab && a.comparison == b.comparison && a.interventions == b.interventions &&
         a.decoding == b.decoding && a.selection == b.selection && a.step == b.step && sameMeasurements(a, b);
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
      // What was broken off for something newer is not there to be kept.
      if (engine_.superseded())
        answered_.reset();
      else
        answered_ = workspace;
    }
    engine_.publish(snapshot);
    decode(workspace, *snapshot);
  }

 private:
  void compute(const Workspace& workspace, Snapshot& snapshot) {
    snapshot.modelAsked = workspace.model;
    if (!useModel(workspace.model, snapshot)) return;
    const ModelConfig& config = model_.transformer->config();
    snapshot.model = model_.name;
    snapshot.config = config;
    snapshot.vocabulary = vocabulary_;
    snapshot.vocabularyBytes = vocabularyBytes_;
    snapshot.modelMeasurements = modelMeasurementsFor(workspace, config, modelMeasurements_);
    snapshot.maskToken = model_.tokenizer->mask();
    encode({workspace.text, workspace.source}, snapshot);
    splitWords(workspace, snapshot);
    if (!isReadable(snapshot)) return;
    snapshot.trace = read(snapshot, *pass_, workspace.interventions);
    const Workspace asked = withQuery(workspace, snapshot);
    snapshot.attributedEntry = attributedEntry(asked, *snapshot.trace, config);
    snapshot.measurements = measure(asked, *snapshot.trace);
    keepDecoding(*engine_.latest(), snapshot);
    compare(workspace, snapshot);
  }

  // As many as the context takes.
  std::vector<int> tokensRead(const std::vector<TokenPiece>& tokens) const {
    std::vector<int> ids;
    const auto context = static_cast<std::size_t>(model_.transformer->config().context);
    for (const TokenPiece& token : tokens)
      if (ids.size() < context) ids.push_back(token.id);
    return ids;
  }
  std::shared_ptr<const Trace> read(const Snapshot& snapshot, LivePass& pass,
                                    const Interventions& interventions) const {
    return pass.run(tokensRead(snapshot.tokens), interventions, tokensRead(snapshot.sourceTokens));
  }

  // Says in the snapshot what is missing.
  bool isReadable(Snapshot& snapshot) const {
    snapshot.incomplete = model_.transformer->config().reads() && snapshot.sourceTokens.empty();
    if (snapshot.incomplete)
      snapshot.error = "The source is empty: write the sentence that the model shall read into it.";
    return snapshot.error.empty() && !snapshot.tokens.empty();
  }

  // The place that is looked at while none is chosen: see Snapshot::positionOr.
  static Workspace withQuery(Workspace workspace, const Snapshot& snapshot) {
    int& query = workspace.selection.query;
    query = snapshot.positionOr(query, Stream::Text);
    return workspace;
  }

  // The text compared with, by the same model, and the difference.
  void compare(const Workspace& workspace, Snapshot& snapshot) {
    if (!workspace.comparison.isOn()) return;
    const bool plain = workspace.comparison.with == Comparison::withoutInterventions;
    auto other = std::make_shared<Snapshot>(snapshot);
    const int tab = plain ? workspace.tab : workspace.comparison.with;
    encode({workspace.textOfTab(tab), workspace.sourceOfTab(tab)}, *other);
    splitWords(workspace, *other);
    other->trace = nullptr, other->measurements = nullptr;
    if (isReadable(*other)) {
      if (!otherPass_) otherPass_ = std::make_unique<LivePass>(model_.transformer, engine_.threads_);
      other->trace = read(*other, *otherPass_, plain ? Interventions{} : workspace.interventions);
      const auto sides = sidesOf(snapshot, other);
      Workspace asked = withQuery(withSelectionOf(withQuery(workspace, snapshot), *sides), *other);
      asked.settings.residual.entry = snapshot.attributedEntry;  // the same logit in both
      other->measurements = measure(asked, *other->trace);
      if (workspace.comparison.view == ComparisonView::Difference) snapshot.difference = differenceOf(sides);
    }
    snapshot.other = std::move(other);
  }

  static std::shared_ptr<const Snapshot::Sides> sidesOf(const Snapshot& a,
                                                        const std::shared_ptr<const Snapshot>& b) {
    auto sides = std::make_shared<Snapshot::Sides>();
    sides->a = std::make_shared<Snapshot>(a);
    sides->b = b;
    sides->alignments = {align(a.trace->tokens(), b->trace->tokens()),
                         align(a.trace->source(), b->trace->source())};
    return sides;
  }

  // The same place is looked at in the other text: that of the corresponding token.
  static Workspace withSelectionOf(const Workspace& workspace, const Snapshot::Sides& sides) {
    Workspace other = workspace;
    const Alignment& alignment = sides.alignments.text;
    const int column = alignment.columnOfA(workspace.selection.query);
    other.selection.query = column < 0 ? -1 : alignment[column].b;
    return other;
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
    otherDecoder_.reset();
    otherPass_.reset();
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

  void encode(const Writing& writing, Snapshot& snapshot) const {
    const ModelConfig& config = model_.transformer->config();
    const int start = model_.tokenizer->endOfText();
    snapshot.text = writing.text, snapshot.source = writing.source;
    snapshot.tokens = piecesOf(writing.text);
    // What writes from a source, or fills gaps, has learned texts behind a start sign.
    if (config.stack != Stack::DecoderOnly && start >= 0)
      snapshot.tokens.insert(snapshot.tokens.begin(), {start, "<start>", 0, 0});
    snapshot.sourceTokens = config.reads() ? piecesOf(writing.source) : std::vector<TokenPiece>();
  }
  std::vector<TokenPiece> piecesOf(const std::string& text) const {
    std::vector<TokenPiece> pieces;
    for (const Token& token : model_.tokenizer->encode(text))
      pieces.push_back({token.id, (*vocabulary_)[static_cast<std::size_t>(token.id)],
                        static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end)});
    return pieces;
  }

  void splitWords(const Workspace& workspace, Snapshot& snapshot) const {
    snapshot.words = nullptr;
    if (workspace.view == "tokens")
      snapshot.words =
          std::make_shared<const std::vector<WordMerges>>(mergesOfWords(*model_.tokenizer, snapshot.text));
  }

  std::shared_ptr<const TensorSet> measure(const Workspace& workspace, const Trace& trace) const {
    return measurementsFor(workspace, *model_.transformer, trace, [this] { return engine_.superseded(); });
  }

  // Decoding takes longer than everything else: it follows in a snapshot of its own, and is given up as soon
  // as something newer is asked for.
  void decode(const Workspace& workspace, const Snapshot& snapshot) {
    if (!snapshot.hasTrace() || !decoder_ || !snapshot.continues()) return;
    auto complete = std::make_shared<Snapshot>(snapshot);
    const bool done = decoder_->decode(snapshot.trace->tokens(), snapshot.trace->source(), workspace,
                                       *complete, [this] { return engine_.superseded(); });
    if (!done) return;
    if (!sameDecoding(*complete, snapshot)) engine_.publish(complete);
    decodeOther(workspace, *complete);
  }

  // The text compared with has a tree of its own.
  void decodeOther(const Workspace& workspace, const Snapshot& snapshot) {
    if (!snapshot.other || !snapshot.other->hasTrace()) return;
    if (!otherDecoder_) otherDecoder_ = std::make_unique<Decoder>(*otherPass_, model_.tokenizer->endOfText());
    Workspace asked = workspace;
    if (workspace.comparison.with == Comparison::withoutInterventions) asked.interventions.clear();
    auto other = std::make_shared<Snapshot>(*snapshot.other);
    if (!otherDecoder_->decode(other->trace->tokens(), other->trace->source(), asked, *other,
                               [this] { return engine_.superseded(); }))
      return;
    auto complete = std::make_shared<Snapshot>(snapshot);
    complete->other = std::move(other);
    engine_.publish(std::move(complete));
  }
  static bool sameDecoding(const Snapshot& a, const Snapshot& b) {
    return a.beam == b.beam && a.continuationMeasurements == b.continuationMeasurements &&
           a.decodedText == b.decodedText && a.decodedSource == b.decodedSource;
  }
  static void keepDecoding(const Snapshot& from, Snapshot& to) {
    if (from.vocabulary != to.vocabulary) return;
    to.decodedText = from.decodedText, to.decodedSource = from.decodedSource;
    to.beam = from.beam, to.beamMeasurements = from.beamMeasurements;
    to.continuation = from.continuation, to.continuationMeasurements = from.continuationMeasurements;
  }

  Engine& engine_;
  std::optional<Workspace> answered_;
  std::string loadedName_;
  LoadedModel model_;
  std::unique_ptr<LivePass> pass_, otherPass_;
  std::unique_ptr<Decoder> decoder_, otherDecoder_;
  std::shared_ptr<const std::vector<std::string>> vocabulary_, vocabularyBytes_;
  std::shared_ptr<const TensorSet> modelMeasurements_;
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
