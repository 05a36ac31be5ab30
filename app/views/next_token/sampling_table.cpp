#include "app/views/next_token/sampling_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/drawing/parts.h"
#include "app/scene/format.h"
#include "app/views/next_token/sampling_stages.h"

namespace glassformer {

namespace {

constexpr int mostChainRows = 14;
constexpr float chainHeading = 52, chainNameLine = 18, chainGap = 8, chainFoot = 60, leastChainRow = 20,
                mostChainRow = 34, foldedLine = 22, leastLetters = 10, numberArrow = 12;

class TablePainter {
 public:
  TablePainter(Scene& scene, const SceneInput& input, const ShownChain& chain, Box area)
      : scene_(scene), input_(input), theme_(input.theme), chain_(chain), shown_(chain.stages(true)) {
    bars_ = barsOfSampling(chain);
    listRows(area.height - chainNameLine - chainHeading - chainFoot);
    labels_ = area.takeLeft(std::clamp(area.width * 0.14f, 72.0f, 132.0f));
    why_ = area.takeRight(std::min(widthOfReasons(), area.width * 0.32f));
    const float width = area.width / static_cast<float>(shown_.size());
    for (std::size_t i = 0; i < shown_.size(); ++i) columns_.push_back(area.takeLeft(width));
    fitNumbers(width);
    isStaggered_ = !namesFit();
  }

  void paint() {
    const float raised = isStaggered_ ? chainNameLine : 0;
    for (Box& column : columns_) column.takeTop(raised);
    top_ = columns_.front().y + chainHeading;
    for (std::size_t i = 0; i < columns_.size(); ++i) addStage(i);
    addNames();
    addFootNames();
    if (why_.width > 0) addReasons();
  }

 private:
  const Box& columnOf(std::size_t i) const { return columns_[i]; }
  float bottom() const { return top_ + row_ * static_cast<float>(tokens_.size()); }
  Box rowAt(std::size_t i, float x, float width) const {
    return {x, top_ + static_cast<float>(i) * row_, width, row_};
  }

  // The model's likeliest tokens, and in any case those that are drawn and chosen.
  void listRows(float height) {
    tokens_ = chain_.likeliest(0, std::clamp(static_cast<int>(height / leastChainRow), 1, mostChainRows));
    row_ = std::clamp(height / static_cast<float>(tokens_.size()), leastChainRow, mostChainRow);
    letters_ = row_ > 28 ? Theme::body : Theme::small;
    std::size_t at = tokens_.size();
    for (const int token : {chain_.chosen(), chain_.drawn()})
      if (token >= 0 && at > 1 && std::ranges::find(tokens_, token) == tokens_.end()) tokens_[--at] = token;
  }

  TextStyle whyStyle() const { return {FontFace::Ui, Theme::small - 1, theme_.feedForward}; }
  // 0 where none is out.
  float widthOfReasons() const {
    float widest = 0;
    for (const int token : tokens_)
      widest = std::max(widest, input_.metrics.width(chain_.whyOut(token), FontFace::Ui, Theme::small - 1));
    return widest > 0 ? std::max(std::ceil(widest), 64.0f) + 12 : 0;
  }

  // The longest of the numbers that are shown.
  std::string widestNumber() const {
    std::string widest;
    for (const int stage : shown_)
      for (const int token : tokens_)
        if (const std::string words = formattedPercent(chain_.p(stage, token)); words.size() > widest.size())
          widest = words;
    return widest;
  }
  // As large as both numbers of a stage fit into its column; else the second alone, which may reach into the
  // gap.
  void fitNumbers(float column) {
    const std::string widest = widestNumber();
    const bool isRoomy = input_.isPresented();  // where no text is smaller
    least_ = isRoomy ? Theme::small : leastLetters;
    const auto fits = [&](int count, float room) {
      for (numbers_ = isRoomy ? letters_ : letters_ - 1; numbers_ >= least_; --numbers_)
        if (static_cast<float>(count) * input_.metrics.width(widest, FontFace::Mono, numbers_) <= room)
          return true;
      return false;
    };
    hasBoth_ = fits(2, column - chainGap - 4 - numberArrow);
    if (!hasBoth_) fits(1, column - 4);
    numberWidth_ = input_.metrics.width(widest, FontFace::Mono, numbers_);
  }

  TextStyle nameStyle() const { return {FontFace::Strong, Theme::small, theme_.text}; }
  bool namesFit() const {
    for (std::size_t i = 0; i < shown_.size(); ++i)
      if (input_.metrics.width(chain_.link(shown_[i]).name(), nameStyle().face, Theme::small) >
          columns_[i].width - chainGap)
        return false;
    return true;
  }
  // Where names are wider than their columns, every other one stands a line higher, and each has the room of
  // two.
  void addStageName(std::size_t i) {
    const Box& column = columns_[i];
    const bool isRaised = isStaggered_ && i % 2 == 1;
    const std::size_t next = i + (isStaggered_ ? 2 : 1);
    const float end = next < columns_.size() ? columns_[next].x - chainGap / 2 : scene_.size.x;
    const float y = column.y + 12 - (isRaised ? chainNameLine : 0);
    addText(scene_, {column.x, y}, std::string(chain_.link(shown_[i]).name()), nameStyle()).maxWidth =
        end - column.x;
  }

  void addStage(std::size_t i) {
    Box column = columns_[i];
    column.width -= chainGap;
    const int stage = shown_[i];
    addStageName(i);
    const std::string number = numberWords(chain_, stage);
    const bool isModel = chain_.link(stage).isModel();
    if (!isModel || input_.metrics.width(number, FontFace::Mono, Theme::small) <= column.width)
      addText(scene_, {column.x, column.y + 32}, number, {FontFace::Mono, Theme::small, theme_.accent})
          .maxWidth = column.width;
    if (!isModel)
      scene_.hits.push_back(
          headingOfStage(input_, chain_, stage, {column.x - 4, column.y, column.width + 8, 44}, centers()));
    for (std::size_t row = 0; row < tokens_.size(); ++row)
      addEntry(i, tokens_[row], rowAt(row, column.x, column.width));
    addFoot(stage, {column.x, bottom() + 4, column.width, chainFoot});
  }
  // Of the stages, which can change places.
  std::vector<float> centers() const {
    std::vector<float> found;
    for (std::size_t i = 0; i < shown_.size(); ++i)
      if (chain_.link(shown_[i]).stage) found.push_back(columns_[i].x + (columns_[i].width - chainGap) / 2);
    return found;
  }

  // The bar after a stage over the one before it, and both numbers over these.
  void addEntry(std::size_t i, int token, const Box& row) {
    const int stage = shown_[i];
    const bool remains = chain_.isLeft(stage, token), was = i > 0 && chain_.isLeft(shown_[i - 1], token);
    if (input_.hover.entry == token) scene_.add(Rect{row, theme_.raised, {0, 0, 0, 0}, 3});
    const TensorRef now = ShownChain::cell(chain::probability, stage, token);
    const TensorRef then = ShownChain::cell(chain::probability, i > 0 ? shown_[i - 1] : stage, token);
    const Box bar = row.inset(0, row_ * 0.12f);
    if (was) scene_.add(Bar{bar, then, bars_, mix(theme_.ground, theme_.quiet, 0.28f)});
    const Rgba color = mix(theme_.ground, colorAt(ColorMap::Sequential, 0.7f, theme_.dark), 0.55f);
    if (remains) scene_.add(Bar{bar.inset(0, was ? bar.height * 0.22f : 0), now, bars_, color});
    addNumbers(row, now, was ? then : TensorRef{}, remains);
    HitRegion& hit = addHitRegion(scene_, row, now);
    hit.target.entry = token, hit.target.token = chain_.place();
    hit.target.text = "“" + input_.entryLabel(token) + "”" + wordsOf(i, token);
    hit.isCandidate = true, hit.tabStop = false;
  }

  // "4.7 % → 49.4 %"; where that has no room, the second alone: the first stands in the column before.
  void addNumbers(const Box& row, const TensorRef& now, const TensorRef& then, bool remains) {
    if (numbers_ < least_) return;
    const float y = row.center().y, right = row.right() - 2;
    const TextStyle style{FontFace::Mono, numbers_, theme_.text};
    const auto number = [&](float end, const TensorRef& at) {
      addText(scene_, {end, y}, formattedPercent(*valueOf(scene_.sources, at)), style, Align::End).value = at;
    };
    if (remains)
      number(right, now);
    else if (!then.empty())
      addText(scene_, {right, y}, "out", {FontFace::Ui, numbers_, theme_.feedForward}, Align::End);
    if (!hasBoth_ || then.empty()) return;
    const float arrow = right - numberWidth_ - numberArrow / 2;
    addText(scene_, {arrow, y}, "→", style, Align::Middle);
    number(arrow - numberArrow / 2, then);
  }

  std::string wordsOf(std::size_t i, int token) const {
    const int stage = shown_[i];
    if (stage == 0) {
      const int times = chain_.seen(token);
      return ", " + (times == 0   ? std::string("not yet in the text")
                     : times == 1 ? "once in the text already"
                                  : std::to_string(times) + " times in the text already");
    }
    const std::string after = " after " + std::string(chain_.link(stage).name());
    if (chain_.isLeft(stage, token)) return after;
    const std::string why = chain_.whyOut(token);
    return after + (chain_.outAt(token) == stage && !why.empty() ? ": out, " + why : ": out already");
  }

  void addNames() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const int token = tokens_[i];
      const bool isTaken = token == chain_.taken();
      const Box row = rowAt(i, labels_.x, labels_.width);
      addText(scene_, {row.right() - 12, row.center().y}, input_.entryLabel(token),
              {isTaken ? FontFace::Strong : FontFace::Mono, letters_,
               isTaken || input_.hover.entry == token ? theme_.text : theme_.quiet},
              Align::End)
          .maxWidth = row.width - 12;
      HitRegion& hit = addHitRegion(scene_, row, ShownChain::cell(chain::probability, 0, token),
                                    "candidate " + input_.entryLabel(token));
      hit.target.entry = token, hit.target.token = chain_.place();
      hit.target.text = "“" + input_.entryLabel(token) + "”" + wordsOf(0, token);
      hit.isCandidate = true;
    }
  }

  void addReasons() {
    addText(scene_, {why_.x + 4, columns_.front().y + 32}, "Why out", nameStyle());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Box row = rowAt(i, why_.x + 4, why_.width - 4);
      addText(scene_, {row.x, row.center().y}, chain_.whyOut(tokens_[i]), whyStyle()).maxWidth = row.width;
    }
  }

  // How many are left, how undecided that is, and what was taken out.
  void addFoot(int stage, const Box& box) {
    int left = 0;
    double taken = 0;
    for (int token = 0; token < chain_.vocabulary(); ++token) {
      left += chain_.isLeft(stage, token);
      if (stage > 0 && !chain_.isLeft(stage, token)) taken += chain_.p(stage - 1, token);
    }
    scene_.add(Line{{{box.x, box.y}, {box.right(), box.y}}, theme_.line});
    const TextStyle style{FontFace::Mono, Theme::small - 1, theme_.quiet};
    const auto line = [&](int i, const std::string& words) -> Text& {
      return addText(scene_, {box.right() - 2, box.y + footLine(i)}, words, style, Align::End);
    };
    line(0, std::to_string(left));
    const TensorRef entropy = ShownChain::cell(chain::entropy, stage);
    line(1, formattedFixed(*valueOf(scene_.sources, entropy), 2)).value = entropy;
    if (taken > 0) line(2, formattedPercent(static_cast<float>(taken)));
    HitRegion& hit = addHitRegion(scene_, {box.x, box.y + footLine(1) - 9, box.width, 18}, entropy,
                                  stage == shown_.back() ? "entropy at the end" : "");
    hit.tabStop = false;
    hit.target.text = "Entropy of the remaining tokens";
  }
  static float footLine(int i) { return 12 + 18 * static_cast<float>(i); }
  void addFootNames() {
    static constexpr std::array names{"left", "H, nats", "out"};
    for (int i = 0; i < 3; ++i)
      addText(scene_, {labels_.right() - 12, bottom() + 4 + footLine(i)}, names[static_cast<std::size_t>(i)],
              {FontFace::Ui, Theme::small - 1, theme_.quiet}, Align::End);
  }

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const ShownChain& chain_;
  std::vector<int> shown_, tokens_;
  std::vector<Box> columns_;
  Box labels_, why_;
  Range bars_;
  bool isStaggered_ = false;
  bool hasBoth_ = false;
  float row_ = leastChainRow, letters_ = Theme::small, numbers_ = Theme::small, numberWidth_ = 0,
        least_ = leastLetters, top_ = 0;
};

}  // namespace

Range barsOfSampling(const ShownChain& chain) {
  float largest = 0;
  for (const int stage : chain.stages(true))
    largest = std::max(largest, chain.p(stage, chain.likeliest(stage, 1).front()));
  return {0, largest > 0.5f ? 1 : std::max(largest, 1e-6f)};
}

void addFoldedStages(Scene& scene, const SceneInput& input, const ShownChain& chain, Box& area) {
  const std::vector<int> off = chain.stages(false);
  if (off.empty()) return;
  const TextStyle style = input.theme.note();
  Box line = area.takeTop(foldedLine);
  addText(scene, {line.x, line.center().y}, "Off:", style);
  line.takeLeft(36);
  for (const int stage : off) {
    const std::string name(chain.link(stage).name());
    const float width = std::ceil(input.metrics.width(name, style.face, style.size));
    if (width > line.width) {
      line = area.takeTop(foldedLine);
      line.takeLeft(36);
    }
    const Box word = line.takeLeft(width);
    addText(scene, {word.x, word.center().y}, name, style).maxWidth = width;
    line.takeLeft(18);
    scene.hits.push_back(headingOfStage(input, chain, stage, word.inset(-6, 0), {}));
  }
}

void addSamplingTable(Scene& scene, const SceneInput& input, const ShownChain& chain, Box area) {
  TablePainter(scene, input, chain, area).paint();
}

}  // namespace glassformer
