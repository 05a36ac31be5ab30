#include "app/views/tokens/token_table.h"

#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/views/tokens/token_words.h"

namespace glassformer {

namespace {

constexpr float tokenTableLeastRow = 24, tokenTableMostRow = 32, tokenTableHeaderHeight = 28,
                tableColumnGap = 12;

class TokenTable {
 public:
  TokenTable(Scene& scene, const SceneInput& input, Stream stream, Box area)
      : scene_(scene),
        input_(input),
        theme_(input.theme),
        snapshot_(input.snapshot),
        stream_(stream),
        count_(static_cast<int>(input.snapshot.pass->tokensOf(stream).size())),
        selected_(input.workspace.selection.queryIn(stream)) {
    if (selected_ < 0) selected_ = input.query(stream);
    if (selected_ >= count_) selected_ = count_ - 1;
    header_ = area.takeTop(tokenTableHeaderHeight);
    rows_ = std::clamp(static_cast<int>(area.height / tokenTableLeastRow), 1, count_);
    rowHeight_ = std::clamp(std::floor(area.height / static_cast<float>(rows_)), tokenTableLeastRow,
                            tokenTableMostRow);
    list_ = {area.x, area.y, area.width, static_cast<float>(rows_) * rowHeight_};
    first_ = firstShown(input.workspace.settings.tokens, selected_, rows_, count_);
    layOutColumns(area);
  }

  void draw() {
    addHeader();
    addScrolling();
    const WordMerges* word = wordAt(snapshot_, piece(selected_).begin, stream_);
    for (int i = first_; i < first_ + rows_; ++i) addRow(i, word);
    if (rows_ < count_) addThumb();
  }

 private:
  struct Column {
    float x = 0, width = 0;
    float right() const { return x + width; }
  };

  const TokenPiece& piece(int i) const {
    return snapshot_.pass->tokensOf(stream_)[static_cast<std::size_t>(i)];
  }
  Box row(int i) const {
    return {list_.x, list_.y + static_cast<float>(i - first_) * rowHeight_, list_.width, rowHeight_};
  }
  float widthOf(const std::string& text) const {
    return std::ceil(input_.metrics.width(text, FontFace::Mono, Theme::small));
  }

  // What is left goes to the bytes.
  void layOutColumns(const Box& area) {
    const TokenPiece& last = piece(count_ - 1);
    const std::string end = std::to_string(last.end);
    place_ = {area.x + 8, std::max(widthOf(std::to_string(count_ - 1)), 16.0f)};
    token_ = {place_.right() + tableColumnGap, area.width < 520 ? 104.0f : 152.0f};
    id_ = {token_.right() + tableColumnGap, widthOf(std::to_string(snapshot_.model->config->vocabulary))};
    bytes_ = {id_.right() + tableColumnGap, std::max(widthOf(end + "–" + end), 44.0f)};
    probability_ = {area.right() - 8 - 64, 64};
    layOutHex();
  }

  // The bytes in hex where there is room for all, else of those tokens that are not plain text; without
  // any, the tokens themselves take the place.
  void layOutHex() {
    const float x = bytes_.right() + tableColumnGap, room = probability_.x - tableColumnGap - x;
    float widest = 0, widestOdd = 0;
    for (int i = first_; i < first_ + rows_; ++i) {
      if (isSpecial(i)) continue;
      const float width = widthOf(hexOf(bytesOf(i)));
      widest = std::max(widest, width);
      if (isOdd(bytesOf(i))) widestOdd = std::max(widestOdd, width);
    }
    onlyOdd_ = widest > room;
    if (room > 0 && (!onlyOdd_ || widestOdd > 0)) {
      hex_ = {x, room};
      return;
    }
    token_.width += room, id_.x += room, bytes_.x += room;
  }
  std::string_view bytesOf(int i) const {
    return std::string_view(snapshot_.pass->textOf(stream_))
        .substr(piece(i).begin, piece(i).end - piece(i).begin);
  }
  bool isSpecial(int i) const {
    return !piece(i).isWritten() || snapshot_.model->bytesOf(std::span(&piece(i).id, 1)).empty();
  }
  // Not readable as it stands: beyond ASCII, or a sign that has no shape.
  static bool isOdd(std::string_view bytes) {
    return std::any_of(bytes.begin(), bytes.end(), [](char c) { return c < ' ' || c > '~'; });
  }

  void addHeader() {
    const TextStyle style = theme_.note();
    const float y = header_.y + 10;
    addText(scene_, {token_.x + 8, y}, "token", style);
    addText(scene_, {id_.right(), y}, "id", style, Align::End);
    addText(scene_, {bytes_.right(), y}, "bytes", style, Align::End);
    if (hex_.width > 0) addText(scene_, {hex_.x, y}, "in hex", style).maxWidth = hex_.width;
    if (isPredicted()) addText(scene_, {probability_.right(), y}, "p", style, Align::End);
    scene_.add(
        Line{{{header_.x, header_.bottom() - 4}, {header_.right(), header_.bottom() - 4}}, theme_.line});
    if (!isPredicted()) return;
    HitRegion& hit = addHitRegion(
        scene_, {probability_.x, header_.y, probability_.width, tokenTableHeaderHeight - 4}, {}, "column p");
    hit.target.text = "probability of the token, given all before it";
  }

  // Below the rows, so that the wheel moves the list wherever the pointer is in it.
  void addScrolling() {
    if (rows_ >= count_) return;
    HitRegion& hit = addHitRegion(scene_, list_, {}, "tokens");
    const int most = count_ - rows_, query = selected_;
    hit.zoom = [first = first_, most, query](float notches, Point) {
      const int by = notches > 0 ? -std::max(1, static_cast<int>(notches * 3))
                                 : std::max(1, static_cast<int>(-notches * 3));
      return commands::changeSettings([=](ViewSettings& s) {
        s.tokens = {std::clamp(first + by, 0, most), query};
      });
    };
  }

  void addRow(int i, const WordMerges* word) {
    const Box box = row(i);
    const TokenPiece& token = piece(i);
    const bool selected = i == selected_, pointed = input_.hover.touches(i, stream_);
    const bool inWord = word && token.begin >= word->range.begin && token.begin < word->range.end;
    if (pointed || inWord) scene_.add(Rect{box, pointed ? theme_.line : theme_.panel, {0, 0, 0, 0}, 4});
    const float y = box.center().y;
    const TextStyle quiet = theme_.quietMono(), plain = theme_.mono();
    addText(scene_, {place_.right(), y}, std::to_string(i), quiet, Align::End);
    scene_.add(Rect{{token_.x, box.y + 2, token_.width, box.height - 4},
                    theme_.raised,
                    selected ? theme_.accent : Rgba{0, 0, 0, 0},
                    4,
                    1.5f});
    addText(scene_, {token_.x + 8, y}, token.label, plain).maxWidth = token_.width - 16;
    addText(scene_, {id_.right(), y}, std::to_string(token.id), plain, Align::End);
    addText(scene_, {bytes_.right(), y}, rangeText(token), quiet, Align::End);
    if (hex_.width > 0 && !isSpecial(i) && (!onlyOdd_ || isOdd(bytesOf(i))))
      addText(scene_, {hex_.x, y}, hexOf(bytesOf(i)), quiet).maxWidth = hex_.width;
    addProbability(i, box);
    addHit(i, box);
  }

  // First and last byte.
  static std::string rangeText(const TokenPiece& token) {
    if (!token.isWritten() || token.begin == token.end) return "";
    const std::string first = std::to_string(token.begin), last = std::to_string(token.end - 1);
    return first == last ? first : first + "–" + last;
  }

  // Nobody predicts a source.
  bool isPredicted() const { return snapshot_.model->continues() && stream_ == Stream::Text; }
  TensorRef ref(int i) const {
    const bool there = isPredicted() && i > 0 && i < input_.tokenCount() &&
                       scene_.sources.contains("lens.token_probability");
    return there ? TensorRef{"lens.token_probability", {i}} : TensorRef{};
  }

  void addProbability(int i, const Box& box) {
    if (ref(i).empty()) return;
    addBar(scene_, input_, {{0, 1}, 0, 56, 2, formattedPercent, true},
           {{probability_.x, box.y, probability_.width, box.height}, ref(i)});
  }

  void addHit(int i, const Box& box) {
    const TokenPiece& token = piece(i);
    HitRegion hit;
    hit.box = box;
    hit.target.token = i, hit.target.tokens = stream_;
    hit.target.cell = ref(i);
    hit.isToken = token.isWritten() && stream_ == Stream::Text;
    hit.target.text = token.isWritten() ? "“" + token.label + "” is " + hexOf(bytesOf(i))
                      : i == 0          ? "special token: begins every text (BOS)"
                                        : "special token: ends every text (EOS)";
    if (const std::string part = partOfCharacter(snapshot_.pass->textOf(stream_), token); !part.empty())
      hit.target.text += "\n" + part;
    if (hit.isToken) hit.target.text += "\nright click to change it, drag to move it";
    hit.name = "row " + std::to_string(i);
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    scene_.hits.push_back(std::move(hit));
  }

  // A thin mark of where we are in a long text.
  void addThumb() {
    const float each = list_.height / static_cast<float>(count_);
    scene_.add(Rect{{list_.right() + 4, list_.y + static_cast<float>(first_) * each, 4,
                     std::max(8.0f, static_cast<float>(rows_) * each)},
                    theme_.line,
                    {0, 0, 0, 0},
                    2});
  }

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const Snapshot& snapshot_;
  Stream stream_;
  int count_, selected_, rows_ = 0, first_ = 0;
  float rowHeight_ = tokenTableLeastRow;
  bool onlyOdd_ = false;  // hex of those alone that are not plain letters
  Box header_, list_;
  Column place_, token_, id_, bytes_, hex_, probability_;
};

}  // namespace

void addTokenTable(Scene& scene, const SceneInput& input, Stream stream, Box area) {
  TokenTable(scene, input, stream, area).draw();
}

}  // namespace glassformer
