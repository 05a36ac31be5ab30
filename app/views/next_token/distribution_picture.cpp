#include "app/views/next_token/distribution_picture.h"

#include <cmath>

#include "app/document/text_commands.h"
#include "app/document/token_edit.h"
#include "app/drawing/place_names.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"
#include "app/views/next_token/next_token_scene.h"
#include "app/views/next_token/places_header.h"

namespace glassformer {

namespace {

constexpr const char* lensName = "lens.next_token";
constexpr const char* logitsName = "logits";
constexpr const char* entropyName = "lens.next_token_entropy";
constexpr int mostTokens = 12;
constexpr float leastWithLogits = 600;  // of the picture
constexpr float leastRow = 18, distributionMostRow = 40, leastEntropy = 64, mostEntropy = 112;

class DistributionBuilder {
 public:
  DistributionBuilder(const SceneInput& input, const TensorView& lens)
      : input_(input), theme_(input.theme), places_(lens.extent[0]) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene build() {
    Box area = contentOf(input_, scene_.size);
    addHeading(area);
    layOut(area);
    std::vector<TensorRef> rows;
    Range plain{0, 0};
    for (const int token : tokens_) {
      rows.push_back(throughLayers(token));
      plain.high = std::max(plain.high, rangeOf(scene_.sources, rows.back()).high);
    }
    scale_ = coloring(input_, rows, {ColorMap::Sequential, plain});
    addRows();
    if (saysAlone()) return std::move(scene_);
    addHeader();
    addEntropy();
    addLegend();
    return std::move(scene_);
  }

 private:
  static TensorRef throughLayers(int token) {
    TensorRef ref = nextTokenRef(0, token);
    ref.columnDimension = 0;
    return ref;
  }
  TensorRef logitRef(int token) const { return {logitsName, {input_.query(), token}}; }
  static TensorRef entropyRef(int place) { return {entropyName, {place}}; }
  bool isDifference() const { return input_.snapshot.isDifference(); }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  int last() const { return places_ - 1; }
  // Of a trace from elsewhere: what it would be after each sublayer its weights alone could say.
  bool saysAlone() const { return input_.snapshot.model->hasNoWeights(); }
  bool fills() const { return !input_.snapshot.model->continues(); }
  const ModelConfig& config() const { return input_.config(); }
  bool canAppend() const {
    return !fills() && !saysAlone() && input_.query() == input_.tokenCount() - 1 &&
           input_.tokenCount() == static_cast<int>(input_.snapshot.pass->tokens.size());
  }

  // A masked place takes what the model puts there.
  bool canFill() const {
    return fills() && !isDifference() &&
           input_.snapshot.pass->tokens[static_cast<std::size_t>(input_.query())].id ==
               input_.snapshot.model->maskToken;
  }

  // Title and pictures; below, what the entropy of the answer is.
  void addHeading(Box& area) {
    const std::string lead = fills()          ? isDifference() ? "Change at " : "Label at "
                             : isDifference() ? "Change after "
                                              : "Next token after ";
    scene_.title = (fills() ? "at “" : "after “") + input_.label(input_.query()) + "”";
    scene_.about = saysAlone()                      ? "from the file"
                   : input_.snapshot.model->hasHead ? "and the prediction after each sublayer"
                                                    : "no head was saved to predict words with";
    if (input_.isHeadedApart()) return present(area.takeTop(40), lead);
    const std::vector<Choice> pictures(input_.pictures.begin(), input_.pictures.end());
    const bool isOneLine = leastWidthOf(input_, pictures) <= area.width;
    const Box choices = addPictureLines(scene_, input_, area);
    const Box title{area.x, choices.y, choices.x - 16 - area.x, choices.height};
    const bool beside =
        isOneLine && (addTitle(lead, title, Theme::title) || addTitle(lead, title, Theme::body));
    addEntropyText(area.takeTop(Theme::control + 16),
                   beside ? scene_.about : lead + input_.label(input_.query()),
                   beside ? theme_.note() : theme_.strong());
  }

  void present(Box box, const std::string& lead) {
    addViewTitle(scene_, input_, box, lead + input_.label(input_.query()));
    addEntropyText(box, "", theme_.note());  // what it is about stands beside the title
  }

  // False where there is no room for it.
  bool addTitle(const std::string& lead, const Box& box, float type) {
    const TextStyle title{FontFace::Strong, type, theme_.text};
    const TextStyle mono{FontFace::Mono, type - 2, theme_.text};
    const std::string& token = input_.label(input_.query());
    const float y = box.center().y, x = box.x + input_.metrics.width(lead, title.face, title.size) + 6;
    if (x + input_.metrics.width(token, mono.face, mono.size) > box.right()) return false;
    addText(scene_, {box.x, y}, lead, title);
    addText(scene_, {x, y}, token, mono);
    return true;
  }

  void addEntropyText(const Box& box, const std::string& about, const TextStyle& style) {
    const std::string nats = formatted(value(entropyRef(last()))) + " nats";
    const std::string bits = formatted(value(entropyRef(last())) / std::log(2.0f)) + " bits";
    const std::string entropy = "entropy " + (box.width < 480 ? nats : nats + " = " + bits);
    const TextStyle number = theme_.mono();
    const float width = input_.metrics.width(entropy, number.face, number.size), y = box.y + 22;
    addText(scene_, {box.right(), y}, entropy, number, Align::End).value = entropyRef(last());
    addHit({box.right() - width, box.y + 8, width, 28}, entropyRef(last()), "Entropy of the prediction",
           "entropy");
    addText(scene_, {box.x, y}, isDifference() ? "the tokens whose probability changes most" : about, style)
        .maxWidth = box.width - width - 24;
  }

  void layOut(Box area) {
    const float width = area.width;
    tokens_ = likeliestTokens(input_, mostTokens);
    labels_ = area.takeLeft(std::min(longestLabel() + 12, std::clamp(width * 0.15f, 84.0f, 140.0f)));
    if (width >= leastWithLogits && scene_.sources.contains(logitsName)) {
      logits_ = area.takeLeft(std::clamp(width * 0.1f, 56.0f, 180.0f));
      logitNumbers_ = area.takeLeft(52);
      area.takeLeft(12);
    }
    bars_ = area.takeLeft(saysAlone() ? area.width - 64
                                      : std::clamp(width * (hasLogits() ? 0.1f : 0.16f), 56.0f, 240.0f));
    percents_ = area.takeLeft(64);
    area.takeLeft(16);
    legend_ = area.takeRight(72);
    area.takeRight(8);
    const float column = area.width / static_cast<float>(places_);
    header_ = placesHeaderFor(column);
    top_ = area.takeTop(placesHeaderHeight(input_, header_, places_));
    const float below = header_ == PlacesHeader::Thinned ? 28.0f : 0.0f;
    const float entropyHeight = std::clamp(area.height * 0.16f, leastEntropy, mostEntropy);
    const float rowsHeight = area.height - entropyHeight - 24 - below;
    const auto fitting =
        static_cast<std::size_t>(std::clamp(static_cast<int>(rowsHeight / leastRow), 1, mostTokens));
    tokens_.resize(std::min(tokens_.size(), fitting));
    rowHeight_ = std::min(distributionMostRow,
                          rowsHeight / static_cast<float>(std::max<std::size_t>(tokens_.size(), 1)));
    heat_ = area.takeTop(rowHeight_ * static_cast<float>(tokens_.size()));
    area.takeTop(24);
    entropy_ = area.takeTop(std::min(entropyHeight, area.height));
  }

  float longestLabel() const {
    float width = 24;
    for (const int token : tokens_)
      width = std::max(width, input_.metrics.width(input_.entryLabel(token), FontFace::Mono, Theme::small));
    return width;
  }

  void addRows() {
    const int rows = static_cast<int>(tokens_.size());
    logitRange_ = logitRange();
    addColumnNames();
    for (int i = 0; i < rows; ++i) addRow(tokens_[static_cast<std::size_t>(i)], heat_.cell(i, 0, rows, 1));
    if (!saysAlone()) scene_.add(Rect{heat_, {0, 0, 0, 0}, theme_.line});
  }

  bool hasLogits() const { return logits_.width > 0; }

  // From zero to both sides, over the tokens shown.
  Range logitRange() const {
    Range range{0, 1e-6f};
    for (const int token : tokens_) {
      const float logit = value(logitRef(token));
      if (std::isfinite(logit)) range = unionOf(range, {logit, logit});
    }
    return isDifference() ? symmetric(range) : range;
  }

  // What the two columns of bars are: what softmax reads beside what it makes of that.
  void addColumnNames() {
    if (!hasLogits()) return;
    const ModelConfig& model = config();
    const std::string u = isDifference() ? "Δ logit u" : "logit u";
    const std::string h =
        std::string(" = h ") + (model.tiedUnembedding ? "Eᵀ" : "W") + (model.unembeddingBias ? " + b" : "");
    const float y = top_.bottom() - 8, room = logitNumbers_.right() - logits_.x;
    addText(scene_, {logits_.x, y}, wordingFor(room, input_, theme_.note(), {u + h, u}), theme_.note())
        .maxWidth = room;
    addText(scene_, {bars_.x, y}, isDifference() ? "Δ p" : "p = softmax(u)", theme_.note()).maxWidth =
        percents_.right() - bars_.x;
  }

  void addLogit(int token, const Box& row) {
    addBar(scene_, input_, {logitRange_, 0, logitNumbers_.right() - logits_.right(), row.height * 0.6f},
           {{logits_.x, row.y, logitNumbers_.right() - logits_.x, row.height},
            logitRef(token),
            "",
            mix(theme_.ground, theme_.quiet, 0.7f)});
  }

  void addRow(int token, const Box& heat) {
    const TensorRef ref = nextTokenRef(last(), token);
    const float y = heat.center().y;
    const Box whole{labels_.x - 8, heat.y, percents_.right() - labels_.x + 8, heat.height};
    const bool pointed = input_.hover.entry == token;
    if (pointed) scene_.add(Rect{whole, theme_.raised, {0, 0, 0, 0}, 4});
    const std::string label = input_.entryLabel(token);
    Text& name = addText(scene_, {labels_.right() - 12, y}, label,
                         {FontFace::Mono, Theme::small, pointed ? theme_.text : theme_.quiet}, Align::End);
    name.maxWidth = labels_.width - 12;
    if (token == tokens_.front()) name.style.color = theme_.text;
    if (hasLogits()) addLogit(token, heat);
    const float most = std::max(std::abs(value(nextTokenRef(last(), tokens_.front()))), 1e-9f);
    const Range length = isDifference() ? Range{-most, most} : Range{0, 1};
    addBar(scene_, input_,
           {length, 0, percents_.right() - bars_.right(), heat.height * 0.6f, formattedPercent},
           {{bars_.x, heat.y, percents_.right() - bars_.x, heat.height}, ref});
    if (!saysAlone()) addPlaces(token, label, heat);
    HitRegion& hit = addHit(whole, ref,
                            "“" + label + "”" +
                                (canAppend() ? ", a click appends it"
                                 : canFill() ? ", a click puts it there"
                                             : ""),
                            "next " + label);
    hit.target.entry = token;
    if (canFill())
      hit.click = [text = input_.snapshot.pass->tokenized(), place = input_.query(),
                   bytes = input_.snapshot.model->bytesOf(std::span(&token, 1))](const Target&) {
        return commands::replaceToken(text, place, bytes);
      };
    if (canAppend())
      hit.click = [base = input_.snapshot.pass->text,
                   added = input_.snapshot.model->bytesOf(std::span(&token, 1))](const Target&) {
        return commands::appendText(base, added, ChosenBy::Hand);
      };
    if (!hasLogits()) return;
    HitRegion logit = hit;
    logit.box = {logits_.x, heat.y, logitNumbers_.right() - logits_.x, heat.height};
    logit.target.cell = logitRef(token), logit.target.text = "the logit of “" + label + "”";
    logit.name = "logit " + label, logit.tabStop = false;
    scene_.hits.push_back(std::move(logit));
  }

  // After each sublayer.
  void addPlaces(int token, const std::string& label, const Box& heat) {
    Matrix cells;
    cells.box = heat, cells.values = throughLayers(token);
    cells.map = scale_.map, cells.range = scale_.range;
    scene_.add(cells);
    for (int place = 0; place < places_; ++place)
      addHit(heat.cell(0, place, 1, places_), nextTokenRef(place, token),
             "“" + label + "” after " + placeWords(config(), place))
          .target.entry = token;
  }

  HitRegion& addHit(const Box& box, const TensorRef& cell, std::string text, std::string name = "") {
    HitRegion hit;
    hit.box = box;
    hit.target.cell = cell;
    hit.target.text = std::move(text);
    hit.target.token = input_.query();
    hit.name = std::move(name);
    return scene_.hits.emplace_back(std::move(hit));
  }

  void addHeader() {
    if (heat_.x - labels_.x > 100)
      addText(scene_, {heat_.x - 16, top_.bottom() - 26},
              isDifference() ? "changes most" : "most probable there", theme_.note(), Align::End);
    addPlacesHeader(scene_, input_, {header_, top_, heat_, places_, tokens_.front()});
    if (header_ == PlacesHeader::Thinned) addEntropyAxis();
  }

  // Where no sublayer has a name: what the first and the last one are.
  void addEntropyAxis() {
    const Box axis{entropy_.x, entropy_.bottom(), entropy_.width, 24};
    if (axis.width <= 140) return;
    addText(scene_, {axis.x, axis.center().y}, "embedding", {FontFace::Ui, Theme::small - 1, theme_.quiet});
    addText(scene_, {axis.right(), axis.center().y}, "block " + std::to_string(config().layers - 1),
            {FontFace::Ui, Theme::small - 1, theme_.quiet}, Align::End);
  }

  void addEntropy() {
    TensorRef all = entropyRef(0);
    all.columnDimension = 0;
    const Range plain{0, std::max(rangeOf(scene_.sources, all).high, 1e-6f)};
    const Range range = coloring(input_, {all}, {ColorMap::Sequential, plain}).range;
    float widest = 0;
    for (int place = 0; place < places_; ++place)
      widest = std::max(widest, input_.metrics.width(formattedFixed(value(entropyRef(place)), 2),
                                                     FontFace::Mono, Theme::small - 2));
    const bool numbers = entropy_.width / static_cast<float>(places_) >= widest + 2;
    addText(scene_, {entropy_.x - 16, entropy_.bottom() - 8}, "entropy in nats", theme_.note(), Align::End);
    for (int place = 0; place < places_; ++place) {
      const Box column = entropy_.cell(0, place, 1, places_);
      Box track = column.inset(column.width * 0.25f, 0);
      if (numbers) track.takeTop(16);
      scene_.add(Bar{track, entropyRef(place), range, mix(theme_.ground, theme_.quiet, 0.55f), true});
      if (numbers)
        addText(scene_, {column.center().x, column.y + 7}, formattedFixed(value(entropyRef(place)), 2),
                {FontFace::Mono, Theme::small - 2, theme_.quiet}, Align::Middle)
            .value = entropyRef(place);
      addHit(column, entropyRef(place), "after " + placeWords(config(), place));
    }
    scene_.add(Line{{{entropy_.x, entropy_.bottom()}, {entropy_.right(), entropy_.bottom()}}, theme_.line});
  }

  void addLegend() {
    addColorScale(scene_, input_, {legend_.x, heat_.y, legend_.width, std::min(160.0f, heat_.height)},
                  scale_.map, scale_.range);
  }

  const SceneInput& input_;
  const Theme& theme_;
  int places_;
  Scene scene_;
  std::vector<int> tokens_;
  Coloring scale_;
  PlacesHeader header_ = PlacesHeader::Wide;
  float rowHeight_ = 24;
  Range logitRange_;
  Box labels_, logits_, logitNumbers_, bars_, percents_, top_, heat_, entropy_, legend_;
};

}  // namespace

Scene distributionScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  const auto lens = input.sources().find(lensName);
  if (!lens) return emptyScene(input, "No next token yet", waitingWords(input));
  return DistributionBuilder(input, *lens).build();
}

}  // namespace glassformer
