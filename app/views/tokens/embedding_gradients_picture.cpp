#include "app/views/tokens/embedding_gradients_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/drawing/view_header.h"
#include "app/engine/embedding_gradients.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float endsRow = 22, endsMostRow = 30, endsHeading = 26;

class BothEndsPicture {
 public:
  explicit BothEndsPicture(const SceneInput& input) : input_(input), theme_(input.theme) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    const bool tied = input_.config().tiedUnembedding;
    addViewHeader(scene_, input_, area,
                  {"Embedding gradients",
                   tied ? "Tied weights: ∂L/∂W_E through the embedding + through the unembedding"
                        : "Untied weights: W_E gets the one gradient, W_U the other",

                   {}});
    addTotals(area.takeTop(56));
    place(area);
    const auto fitting = static_cast<std::size_t>(std::max(2.0f, (area.height - 2 * endsHeading) / endsRow));
    choose(fitting);
    const auto rows = static_cast<float>(std::max<std::size_t>(1, text_.size() + others_.size()));
    const float height = std::clamp((area.height - 2 * endsHeading) / rows, endsRow, endsMostRow);
    range_ = {0, std::max(1e-12f, rangeOf(scene_.sources, {bothEnds::through, {}, 0, 1, -1, -1}).high)};
    addGroup(area, "in the text", text_, height, true);
    if (!others_.empty()) addGroup(area, "pushed most of all others", others_, height, false);
    return std::move(scene_);
  }

 private:
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  static TensorRef end(int which, int token) { return {bothEnds::through, {which, token}}; }

  // The text's own tokens, each once; then the others, the largest gradient first.
  void choose(std::size_t rows) {
    const TensorView together = *scene_.sources.find(bothEnds::together);
    for (const int token : input_.snapshot.pass->trace->tokens())
      if (std::ranges::find(text_, token) == text_.end()) text_.push_back(token);
    std::vector<int> order(static_cast<std::size_t>(together.extent[0]));
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int token) { return std::ranges::find(text_, token) != text_.end(); });
    const std::size_t least = std::min<std::size_t>(4, rows / 2);
    if (text_.size() > rows - least) text_.resize(rows - least);
    const std::size_t count = std::min(order.size(), std::min<std::size_t>(rows - text_.size(), 12));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](int a, int b) { return together(a) > together(b); });
    others_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void addTotals(const Box& box) {
    float x = box.x;
    const auto entry = [&](const char* words, const TensorRef& ref, Rgba ink) {
      const std::string digits = formatted(value(ref));
      const float name = input_.metrics.width(words, FontFace::Ui, Theme::small),
                  number = input_.metrics.width(digits, FontFace::Mono, Theme::body);
      const float width = std::max(name, number);
      if (x + width > box.right()) return;
      addText(scene_, {x, box.y + 10}, words, {FontFace::Ui, Theme::small, ink});
      addText(scene_, {x, box.y + 32}, digits, {FontFace::Mono, Theme::body, theme_.text}).value = ref;
      HitRegion& hit = addHitRegion(scene_, {x, box.y, width, 44}, ref, words);
      hit.tabStop = false;
      x += width + 28;
    };
    entry("through the embedding", {bothEnds::all, {0}}, inInk());
    entry("through the unembedding", {bothEnds::all, {1}}, outInk());
    if (input_.config().tiedUnembedding) entry("their sum, at E", {bothEnds::all, {2}}, theme_.quiet);
    entry("loss", {bothEnds::loss, {0}}, theme_.quiet);
  }
  Rgba inInk() const { return theme_.attention; }
  Rgba outInk() const { return theme_.feedForward; }

  void place(const Box& area) {
    const float label = std::clamp(area.width * 0.16f, 84.0f, 150.0f);
    label_ = area.x + label;
    angle_ = area.right();
    const float bars = angle_ - 76 - label_ - 8 - 2 * 68;
    bar_ = bars / 2;
    in_ = label_ + 8;
    out_ = in_ + bar_ + 68;
  }

  void addGroup(Box& area, const std::string& words, const std::vector<int>& tokens, float height,
                bool isFirst) {
    const Box head = area.takeTop(endsHeading);
    const float y = head.y + 13;
    addText(scene_, {area.x, y}, words, theme_.note()).maxWidth = isFirst ? label_ - area.x : head.width;
    if (isFirst) {
      addText(scene_, {in_, y}, "through embedding", theme_.note()).maxWidth = bar_ + 60;
      addText(scene_, {out_, y}, "through unembedding", theme_.note()).maxWidth = bar_ + 60;
      addText(scene_, {angle_, y}, "cosine", theme_.note(), Align::End);
    }
    for (const int token : tokens) addRow(area.takeTop(height), token);
  }

  void addRow(const Box& row, int token) {
    const float y = row.center().y;
    const bool pointed = input_.hover.entry == token;
    if (pointed) scene_.add(Rect{row, theme_.raised, {0, 0, 0, 0}, 4});
    addText(scene_, {label_, y}, input_.entryLabel(token),
            {FontFace::Mono, Theme::small, pointed ? theme_.text : theme_.quiet}, Align::End)
        .maxWidth = label_ - row.x;
    addEnd(row, end(0, token), in_, inInk());
    addEnd(row, end(1, token), out_, outInk());
    const TensorRef cosine{bothEnds::cosine, {token}};
    const float angle = value(cosine);
    if (std::isfinite(angle))
      addText(scene_, {angle_, y}, formattedFixed(angle, 3), theme_.mono(), Align::End).value = cosine;
    HitRegion& hit =
        addHitRegion(scene_, row, {bothEnds::together, {token}}, "ends of " + input_.entryLabel(token));
    hit.tabStop = false;
    hit.target.entry = token;
    hit.target.text =
        "“" + input_.entryLabel(token) + "”" +
        (std::isfinite(angle)
             ? ": " +
                   formattedFixed(std::acos(std::clamp(angle, -1.0f, 1.0f)) * 180 / std::numbers::pi_v<float>,
                                  1) +
                   "° between its two gradients"
             : ": this text has no such token, so the embedding gets no gradient");
  }

  void addEnd(const Box& row, const TensorRef& norm, float x, Rgba color) {
    scene_.add(Bar{{x, row.y + row.height * 0.2f, bar_, row.height * 0.6f}, norm, range_, color});
    addText(scene_, {x + bar_ + 60, row.center().y}, formatted(value(norm)), theme_.mono(), Align::End)
        .value = norm;
  }

  const SceneInput& input_;
  const Theme& theme_;
  Scene scene_;
  std::vector<int> text_, others_;
  Range range_;
  float label_ = 0, in_ = 0, out_ = 0, bar_ = 0, angle_ = 0;
};

}  // namespace

Scene bothEndsScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No tokens yet", snapshot.standing.errorOr("Type in the Text box."));
  if (!snapshot.model->continues())
    return emptyScene(input, "No embedding gradients",
                      "a masked language model has no loss on a text without masked tokens");
  if (snapshot.pass->trace->tokenCount() < 2)
    return emptyScene(input, "No loss yet", "no next token yet: add one");
  if (!input.sources().contains(bothEnds::through))
    return emptyScene(input, "Embedding gradients", waitingWords(input));
  return BothEndsPicture(input).drawn();
}

}  // namespace glassformer
