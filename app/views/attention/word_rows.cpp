#include "app/views/attention/word_rows.h"

#include <algorithm>

#include "app/document/switches.h"
#include "app/scene/format.h"
#include "core/lens/attention_stages.h"
#include "core/lens/equation_words.h"
#include "core/lens/one_query.h"

namespace glassformer {

namespace {

class WordRows {
 public:
  WordRows(const AttentionPicture& picture, int query)
      : picture_(picture),
        config_(picture.config),
        sources_(picture.scene.sources),
        head_(picture.selected),
        query_(query) {}

  std::vector<WordRow> all() {
    addCompared();
    addScores();
    addShares();
    addValues();
    addOutput();
    for (WordRow& row : rows_)
      if (isChanged(row)) row.label += ", changed";
    return std::move(rows_);
  }

 private:
  using Kind = WordRowKind;

  std::string point(const char* name) const { return attentionPoint(head_.layer, head_.site, name); }
  std::string compared(const char* which) const {
    return comparedPoint(sources_, head_.layer, head_.site, which);
  }
  // The query's row of a point [H, T, S], or of what is measured of the head, [T, S].
  TensorRef traced(const char* name) const { return {point(name), {head_.head, query_, 0}, -1, 2}; }
  TensorRef measured(const char* stage) const { return {stageTensor(stage, head_), {query_, 0}, -1, 1}; }
  TensorRef sumOf(const char* stage) const { return {stageTensor(stage, head_), {query_, 0}}; }
  // The head's own columns of a table [R, H', K]: the query's row, or all of them.
  TensorRef rowOf(const std::string& table) const { return {table, {query_, ownIn(table), 0}, -1, 2}; }
  TensorRef allOf(const std::string& table) const { return {table, {0, ownIn(table), 0}, 0, 2}; }
  int ownIn(const std::string& table) const {
    const auto found = sources_.find(table);
    return found ? head_.head * found->extent[1] / config_.heads : 0;
  }

  WordRow& add(Kind kind, const char* name, std::string label, TensorRef values) {
    WordRow row;
    row.kind = kind, row.name = name, row.label = std::move(label), row.values = std::move(values);
    if (kind == Kind::Scores && !rows_.empty()) row.madeOf = {{rows_.size() - 1, false}};
    rows_.push_back(std::move(row));
    return rows_.back();
  }
  std::size_t last() const { return rows_.size() - 1; }

  // Queries and keys, as positions, norms and features leave them.
  void addCompared() {
    if (!hasProducts(config_, head_.site) && config_.kernel != AttentionKernel::Linear) return;
    add(Kind::Query, "query", wordFor("query", compared("q")), rowOf(compared("q"))).color =
        picture_.theme.query;
    add(Kind::Keys, "keys", wordFor("key", compared("k")), allOf(compared("k"))).color = picture_.theme.key;
  }
  std::string wordFor(const std::string& what, const std::string& from) const {
    const bool isProjected = picture_.isAcross() || config_.similarity != Similarity::Plain;
    const std::string word = isProjected ? what : what + " = x";
    if (from.find("hook_rot_") != std::string::npos) return word + ", rotated";
    if (from.ends_with("hook_normalized")) return word + ", normed";
    return from.ends_with("_features") ? "φ(" + what + ")" : word;
  }

  void addScores() {
    if (config_.kernel == AttentionKernel::Linear) return addLinearScores();
    const bool isCompared = hasProducts(config_, head_.site);
    const TensorRef unmasked =
                        isMaskedBefore(config_, head_.site) ? scoresBeforeMask() : traced("hook_attn_scores"),
                    uncapped = hasCap(config_, head_.site) ? measured(stages::uncapped) : unmasked;
    if (isCompared)
      add(Kind::Scores, "products", "q · k", measured(stages::products)).madeOf = {{0, false}, {1, false}};
    else
      add(Kind::Scores, "distances", "by distance", uncapped);
    const bool isShifted = hasPositionBias(config_, head_.site);
    if (isCompared && config_.scalesScores())
      add(Kind::Scores, "scaled", scaleLabel(), isShifted ? measured(stages::scaled) : uncapped).beside =
          "= " + formattedShort(1 / config_.ofLayer(head_.layer).scoreScale());
    if (isShifted) add(Kind::Scores, "positions", "+ position", uncapped);
    if (hasCap(config_, head_.site))
      add(Kind::Scores, "capped", "soft cap", unmasked).beside = "at " + formattedShort(config_.scoreCap);
    if (isMaskedBefore(config_, head_.site))
      add(Kind::Scores, "masked", "+ mask", traced("hook_attn_scores"));
  }
  TensorRef scoresBeforeMask() const { return measured(stages::scores); }
  // "÷ √K", "÷ √24", "÷ √K ÷ 3".
  std::string scaleLabel() const {
    std::string words = scaledWords(config_, head_.layer).substr(1);
    for (std::size_t at = words.find('/'); at != std::string::npos; at = words.find('/'))
      words.replace(at, 1, "÷");
    return words;
  }

  void addLinearScores() {
    const bool isMasked = isMaskedAfter(config_, head_.site);
    add(Kind::Scores, "products", "φ(q) · φ(k)", isMasked ? scoresBeforeMask() : traced("hook_attn_scores"))
        .madeOf = {{0, false}, {1, false}};
    if (isMasked) add(Kind::Scores, "masked", "× mask", traced("hook_attn_scores"));
  }

  // What becomes of the scores, up to the weights.
  void addShares() {
    const bool isLinear = config_.kernel == AttentionKernel::Linear,
               isMasked = isMaskedAfter(config_, head_.site) && !isLinear;
    const char* first = isMasked ? "hook_unmasked_pattern" : "hook_pattern";
    if (isLinear)
      addDivided("weights", "weights", traced("hook_pattern"), stages::left);
    else if (hasSoftmax(config_))
      addSoftmax(isMasked ? "unmasked" : "weights", traced(first));
    else
      add(Kind::Scores, isMasked ? "unmasked" : "weights",
          config_.kernel == AttentionKernel::HardArgmax ? "argmax"
          : picture_.isAcross()                         ? "softmax"
                                                        : "share",
          traced(first))
          .madeOf.front()
          .ofAllKeys = true;
    rows_.back().isShare = true;
    if (isMasked) {
      add(Kind::Scores, "zeroed", "× mask", measured(stages::zeroed));
      addDivided("weights", "weights", traced("hook_pattern"), stages::left);
    }
    WordRow& weights = rows_.back();
    weights.isShare = true, weights.rest = stageTensor(oneQuery::restOfWeights, head_);
    if (hasSoftmax(config_)) weights.label = "weights";
    if (isHard(picture_.input.workspace.interventions, head_)) {
      weights.label = "argmax", weights.beside.clear(), weights.number = {};
      weights.madeOf.front().ofAllKeys = true;
    }
    weights_ = last();
  }
  void addSoftmax(const char* name, const TensorRef& shares) {
    add(Kind::Scores, "exponentials", "exp(s − max)", measured(stages::exponentials)).rest =
        stageTensor(oneQuery::restOfExponentials, head_);
    addDivided(name, "softmax", shares, stages::sums);
  }
  void addDivided(const char* name, const char* label, TensorRef shares, const char* sums) {
    WordRow& row = add(Kind::Scores, name, label, std::move(shares));
    row.beside = "÷ Σ = ", row.number = sumOf(sums);
  }

  void addValues() {
    const bool isStream = config_.readout == Readout::Rows;
    addOfValues(Kind::Keys, "values", isStream ? "value = x" : "value", allOf(point("hook_v")));
    WordRow& weighted = addOfValues(Kind::Keys, "weighted", "weight × v",
                                    {stageTensor(oneQuery::weighted, head_), {0, 0}, 0, 1});
    weighted.madeOf = {{weights_, false}, {last() - 1, false}};
    weighted.rest = stageTensor(oneQuery::restOfValues, head_);
    WordRow& sum = addOfValues(Kind::Query, "sum", "Σ = z", rowOf(point("hook_z")));
    sum.madeOf = {{last() - 1, true}};
  }
  WordRow& addOfValues(Kind kind, const char* name, const char* label, TensorRef values) {
    WordRow& row = add(kind, name, label, std::move(values));
    row.color = picture_.theme.value, row.isOfValues = true;
    return row;
  }

  // What the head writes, what its layer adds, and the stream behind it.
  void addOutput() {
    const std::string raw = point("hook_out"), out = attentionOutPoint(head_.layer, head_.site),
                      made = sources_.contains(raw) ? raw : out;
    if (!config_.headsOutputFullWidth())
      addWide("output", "· W_O", {stageTensor(oneQuery::output, head_), {0}, -1, 0});
    if (config_.heads > 1 || config_.biasesOutput())
      addWide("heads", config_.heads > 1 ? "+ other heads" : "+ b_O", ofStream(made));
    if (made != out) addWide("normed", "norm", ofStream(out));
    if (config_.residual) addWide("stream", streamLabel(), ofStream(streamPoint()));
  }
  void addWide(const char* name, const char* label, TensorRef values) {
    WordRow& row = add(Kind::Output, name, label, std::move(values));
    row.madeOf = {{last() - 1, true}}, row.color = picture_.theme.attention;
  }
  TensorRef ofStream(const std::string& table) const { return {table, {query_, 0}, -1, 1}; }
  const char* streamLabel() const {
    if (config_.parallel && config_.hasFeedForward()) return "+ MLP + stream";
    return config_.normPlacement == NormPlacement::Residual ? "+ norm of stream" : "+ stream";
  }
  std::string streamPoint() const {
    const auto at = [&](const char* name) {
      return blockPoint(config_, head_.layer, name, queriesOf(head_.site));
    };
    const std::string middle = at(picture_.isAcross() ? "hook_resid_mid_cross" : "hook_resid_mid");
    return sources_.contains(middle) ? middle : at("hook_resid_post");
  }

  // Whether an intervention has put other numbers there than what the rows above make.
  bool isChanged(const WordRow& row) const {
    return std::ranges::any_of(picture_.input.workspace.interventions, [&](const Intervention& change) {
      if (change.point != row.values.tensor || change.kind == InterventionKind::Argmax) return false;
      for (int d = 0; d < maxRank; ++d) {
        const auto i = static_cast<std::size_t>(d);
        const bool isSpanned = d == row.values.rowDimension || d == row.values.columnDimension;
        if (!isSpanned && change.index[i] >= 0 && change.index[i] != row.values.index[i]) return false;
      }
      return true;
    });
  }

  const AttentionPicture& picture_;
  const ModelConfig& config_;
  const TensorSources& sources_;
  HeadId head_;
  int query_;
  std::vector<WordRow> rows_;
  std::size_t weights_ = 0;
};

}  // namespace

std::vector<WordRow> wordRows(const AttentionPicture& picture, int query) {
  return WordRows(picture, query).all();
}

}  // namespace glassformer
