#include "app/views/tokens/token_difference.h"

#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/tokens/embedding_row.h"
#include "app/views/tokens/merge_steps.h"
#include "app/views/tokens/token_words.h"

namespace glassformer {

namespace {

constexpr float tokenDifferenceLeastRow = 24, tokenDifferenceMostRow = 32, tokenDifferenceHeaderHeight = 28,
                tokenGap = 12, between = 12;
constexpr const char* probability = "lens.token_probability";

class TokenDifference {
 public:
  explicit TokenDifference(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        sides_(*input.snapshot.sides),
        count_(sides_.alignments.text.count()),
        selected_(std::clamp(input.query(), 0, count_ - 1)) {
    scene_.size = {std::max(input.size.x, 420.0f), std::max(input.size.y, hasTwoWords() ? 560.0f : 360.0f)};
    scene_.sources = input.sources();
    colors_ = coloring(input, {column()}, {ColorMap::Sequential, {0, 1}});
  }

  Scene build() {
    const bool narrow = scene_.size.x < 900;
    Box area = contentOf(input_, scene_.size);
    addHeading(scene_, input_, area.takeTop(72), "Tokens", about());
    const float share = std::clamp(area.width * 0.56f, std::min(388.0f, area.width * 0.62f), 720.0f);
    addTable(area.takeLeft(share));
    area.takeLeft(narrow ? 24.0f : 56.0f);
    addWords(area);
    return std::move(scene_);
  }

 private:
  struct Half {  // the columns of one text
    Box place, token, id;
  };

  static TensorRef column() { return {probability, {}, 0, -1, -1, -1}; }
  std::string about() const {
    int shared = 0;
    while (shared < count_ && isSame(shared)) ++shared;
    const std::string all = std::to_string(sides_.a->pass->tokens.size()) + " and " +
                            countWords(static_cast<std::int64_t>(sides_.b->pass->tokens.size()), "token");
    if (shared == count_) return all + ", all the same";
    return all + (shared == 0   ? ", different from the first on"
                  : shared == 1 ? ", the first is the same"
                                : ", the first " + std::to_string(shared) + " are the same");
  }
  const TokenPiece* piece(const Snapshot& side, int position) const {
    return position < 0 ? nullptr : &side.pass->tokens[static_cast<std::size_t>(position)];
  }
  bool isSame(int row) const {
    const auto [a, b] = sides_.alignments.text[row];
    return a >= 0 && b >= 0 && piece(*sides_.a, a)->id == piece(*sides_.b, b)->id;
  }
  float widthOf(const std::string& text) const {
    return std::ceil(input_.metrics.width(text, FontFace::Mono, Theme::small));
  }

  void addTable(Box area) {
    const Box header = area.takeTop(tokenDifferenceHeaderHeight);
    const int rows = std::clamp(static_cast<int>(area.height / tokenDifferenceLeastRow), 1, count_);
    rowHeight_ = std::clamp(std::floor(area.height / static_cast<float>(rows)), tokenDifferenceLeastRow,
                            tokenDifferenceMostRow);
    list_ = {area.x, area.y, area.width, static_cast<float>(rows) * rowHeight_};
    first_ = firstShown(input_.workspace.settings.tokens, selected_, rows, count_);
    layOutColumns(header);
    addHeader(header);
    if (rows < count_) addScrolling(count_ - rows);
    for (int row = first_; row < first_ + rows; ++row) addRow(row);
    if (rows < count_) addThumb(rows);
  }

  void layOutColumns(Box row) {
    row.takeRight(8);
    number_ = row.takeRight(72);
    const float place = std::max(widthOf(std::to_string(count_)), 16.0f);
    const float id = widthOf(std::to_string(input_.config().vocabulary));
    const float fixed = 8 + between + 2 * (place + id + 3 * tokenGap);
    bar_ = row.takeRight(std::clamp(row.width - fixed - 2 * 88, 0.0f, 160.0f));
    const float token = (row.width - fixed) / 2;
    row.takeLeft(8);
    for (Half* half : {&a_, &b_}) {
      if (half == &b_) row.takeLeft(between);
      half->place = row.takeLeft(place), row.takeLeft(tokenGap);
      half->token = row.takeLeft(token), row.takeLeft(tokenGap);
      half->id = row.takeLeft(id), row.takeLeft(tokenGap);
    }
  }

  void addHeader(const Box& box) {
    const TextStyle style = theme_.note();
    const float y = box.y + 10;
    for (const Half* half : {&a_, &b_}) {
      addText(scene_, {half->token.x + 8, y}, "token", style);
      addText(scene_, {half->id.right(), y}, "id", style, Align::End);
    }
    addText(scene_, {number_.right(), y}, "p − p", style, Align::End);
    scene_.add(Line{{{box.x, box.bottom() - 4}, {box.right(), box.bottom() - 4}}, theme_.line});
    HitRegion& hit = addHitRegion(scene_, {number_.x, box.y, number_.width, tokenDifferenceHeaderHeight - 4},
                                  {}, "column p");
    hit.target.text = "probability of the token in the first text, minus that in the other";
  }

  // Below the rows, so that the wheel moves the list wherever the pointer is in it.
  void addScrolling(int most) {
    HitRegion& hit = addHitRegion(scene_, list_, {}, "tokens");
    hit.zoom = [first = first_, most, selected = selected_](float notches, Point) {
      const int by = static_cast<int>(notches > 0 ? std::floor(-notches * 3) : std::ceil(-notches * 3));
      return commands::changeSettings([=](ViewSettings& s) {
        s.tokens = {std::clamp(first + by, 0, most), selected};
      });
    };
  }

  // A thin mark of where we are in long texts.
  void addThumb(int rows) {
    const float each = list_.height / static_cast<float>(count_);
    scene_.add(Rect{{list_.right() + 4, list_.y + static_cast<float>(first_) * each, 4,
                     std::max(8.0f, static_cast<float>(rows) * each)},
                    theme_.line,
                    {0, 0, 0, 0},
                    2});
  }

  void addRow(int row) {
    const Box box{list_.x, list_.y + static_cast<float>(row - first_) * rowHeight_, list_.width, rowHeight_};
    const auto [a, b] = sides_.alignments.text[row];
    if (input_.hover.touches(row))
      scene_.add(Rect{box, theme_.line, {0, 0, 0, 0}, 4});
    else if (!isSame(row))
      scene_.add(Rect{box, theme_.panel, {0, 0, 0, 0}, 4});
    addToken(a_, *sides_.a, a, row, box);
    addToken(b_, *sides_.b, b, row, box);
    addDifference(row, box);
    addHit(row, box);
  }

  void addToken(const Half& half, const Snapshot& side, int position, int row, const Box& box) {
    const TokenPiece* token = piece(side, position);
    if (!token) return;
    const float y = box.center().y;
    const TextStyle quiet = theme_.quietMono(),
                    ink{FontFace::Mono, Theme::small, isSame(row) ? theme_.quiet : theme_.text};
    addText(scene_, {half.place.right(), y}, std::to_string(position), quiet, Align::End);
    scene_.add(Rect{{half.token.x, box.y + 2, half.token.width, box.height - 4},
                    theme_.raised,
                    row == selected_ ? theme_.accent : Rgba{0, 0, 0, 0},
                    4,
                    1.5f});
    addText(scene_, {half.token.x + 8, y}, token->label, ink).maxWidth = half.token.width - 16;
    addText(scene_, {half.id.right(), y}, std::to_string(token->id), ink, Align::End);
  }

  void addDifference(int row, const Box& box) {
    const TensorRef ref{probability, {row}};
    const auto value = valueOf(scene_.sources, ref);
    if (!value || !std::isfinite(*value)) return;  // one text has no such token, or it is the first of one
    addText(scene_, {number_.right(), box.center().y}, signedPercent(*value), theme_.mono(), Align::End)
        .value = ref;
    if (bar_.width < 24) return;
    const Box track{bar_.x, box.center().y - 4, bar_.width, 8};
    scene_.add(
        Bar{track, ref, colors_.range, colorAt(colors_.map, colors_.range.fraction(*value), theme_.dark)});
    scene_.add(Line{{{track.center().x, box.y + 4}, {track.center().x, box.bottom() - 4}}, theme_.line});
  }

  void addHit(int row, const Box& box) {
    const auto [a, b] = sides_.alignments.text[row];
    const auto words = [&](const Snapshot& side, int position) {
      const TokenPiece* token = piece(side, position);
      return token ? "“" + token->label + "” (" + std::to_string(token->id) + ")" : std::string("nothing");
    };
    HitRegion& hit = addHitRegion(scene_, box, {}, "row " + std::to_string(row));
    hit.target.token = row;
    if (scene_.sources.contains(probability)) hit.target.cell = {probability, {row}};
    hit.target.text = words(*sides_.a, a) + " here, " + words(*sides_.b, b) + " in the other text";
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
  }

  void addWords(Box area) {
    addEmbeddingRow(scene_, input_, Stream::Text, area.takeBottom(embeddingRowHeight));
    area.takeBottom(24);
    const auto [a, b] = sides_.alignments.text[selected_];
    if (!hasTwoWords()) return addWord(*sides_.a, a, area);
    addWord(*sides_.a, a, area.takeTop(area.height / 2 - 12));
    area.takeTop(24);
    addWord(*sides_.b, b, area);
  }

  bool hasTwoWords() const {
    const auto [a, b] = sides_.alignments.text[selected_];
    return !isSame(selected_) || wordOf(*sides_.a, a) != wordOf(*sides_.b, b);
  }
  static std::string_view wordOf(const Snapshot& side, int position) {
    const WordMerges* word = wordAt(side, side.pass->tokens[static_cast<std::size_t>(position)].begin);
    if (!word) return {};
    return std::string_view(side.pass->text).substr(word->range.begin, word->range.end - word->range.begin);
  }

  void addWord(const Snapshot& side, int position, const Box& box) {
    if (position < 0) {
      addText(scene_, {box.x, box.y + 10},
              wordingFor(box.width, input_, theme_.note(), {"this text has no token here", "no token here"}),
              theme_.note())
          .maxWidth = box.width;
      return;
    }
    Workspace workspace = input_.workspace;
    workspace.selection.query = position;
    addMergeSteps(scene_, {workspace, side, {box.width, box.height}, theme_, input_.metrics, {}, input_.room},
                  Stream::Text, box);
  }

  static std::string signedPercent(float value) {
    const std::string size = formattedPercent(std::abs(value));
    return size.starts_with("<") ? size : (value > 0 ? "+" : value < 0 ? "−" : "") + size;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const Snapshot::Sides& sides_;
  int count_, selected_, first_ = 0;
  Scene scene_;
  Coloring colors_;
  Box list_, number_, bar_;
  Half a_, b_;
  float rowHeight_ = tokenDifferenceLeastRow;
};

}  // namespace

Scene tokenDifferenceScene(const SceneInput& input) { return TokenDifference(input).build(); }

}  // namespace glassformer
