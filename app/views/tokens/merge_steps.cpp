#include "app/views/tokens/merge_steps.h"

#include "app/drawing/parts.h"
#include "app/views/tokens/merge_slider.h"
#include "app/views/tokens/token_words.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float mergeRowHeight = 28, mergeHeadingHeight = 64, mostByteWidth = 32, mergeSliderHeight = 28;

class MergeSteps {
 public:
  MergeSteps(Scene& scene, const SceneInput& input, Box area, const WordMerges& word)
      : scene_(scene),
        input_(input),
        theme_(input.theme),
        snapshot_(input.snapshot),
        word_(word),
        area_(area),
        bytes_(word.joined) {}

  Box draw() {
    addAll();
    return area_;
  }

 private:
  void addAll() {
    addHeading();
    if (word_.special) return say("The vocabulary has the whole word: one token, no merges.");
    if (word_.tooLong) return say("Too long to show its merges.");
    layOutColumns();
    if (hasLongCharacters() && !word_.areCharacters) addCharacters();
    addPieces(word_.units, nullptr);
    note(word_.areCharacters ? "characters" : "bytes", {});
    addSteps();
    if (word_.steps.empty())
      say(word_.units.size() == 1 ? "A single byte: no merges." : "No rule joins any two of these.");
  }

  // Bytes of one piece, and what is written on it.
  struct Piece {
    std::size_t bytes;
    std::string label;
  };

  std::string bytesOf(int id) const { return snapshot_.model->bytesOf(std::span(&id, 1)); }
  bool hasLongCharacters() const {
    for (std::size_t at = 0; at < bytes_.size(); at = nextCharacter(bytes_, at))
      if (codePointAt(bytes_, at).bytes > 1) return true;
    return false;
  }
  int tokenCount() const {
    const auto& last = word_.steps.empty() ? word_.units : word_.steps.back().after;
    return static_cast<int>(last.size());
  }
  static std::string counted(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  }

  void addHeading() {
    Box box = area_.takeTop(mergeHeadingHeight);
    addText(scene_, {box.x, box.y + 10}, "“" + readable(bytes_.substr(0, 400)) + "”", theme_.heading())
        .maxWidth = box.width;
    std::string about = counted(bytes_.size(), "byte");
    if (!word_.special && !word_.tooLong)
      about += ", " + counted(word_.steps.size(), "merge") + ", " +
               counted(static_cast<std::size_t>(tokenCount()), "token");
    addText(scene_, {box.x, box.y + 34}, about, theme_.note()).maxWidth = box.width;
  }

  void say(const char* words) {
    const TextStyle style = theme_.note();
    area_.takeTop(4);
    for (const std::string& line : wrapped(input_.metrics, words, style.face, style.size, area_.width))
      addText(scene_, {area_.x, area_.takeTop(20).center().y}, line, style);
  }

  // The bytes stand at the left, one column each; behind them the pair and the rank.
  void layOutColumns() {
    rankWidth_ = 80;          // "characters"
    const float roomy = 168;  // for a pair
    const float wanted = static_cast<float>(bytes_.size()) * mostByteWidth;
    pairWidth_ = area_.width - rankWidth_ - wanted >= roomy + 16 ? roomy : 0;
    const float left = area_.width - rankWidth_ - pairWidth_;
    byteWidth_ = std::min(mostByteWidth, left / static_cast<float>(std::max<std::size_t>(bytes_.size(), 1)));
  }

  void addCharacters() {
    std::vector<Piece> characters;
    for (std::size_t at = 0; at < bytes_.size();) {
      const auto length = static_cast<std::size_t>(codePointAt(bytes_, at).bytes);
      characters.push_back({length, characterLabel(bytes_.substr(at, length))});
      at += length;
    }
    addRow(characters, [](std::size_t) { return false; });
    note("characters", {});
  }

  void addPieces(const std::vector<int>& ids, const MergeStep* step) {
    std::vector<Piece> pieces;
    for (const int id : ids) {
      const std::string bytes = bytesOf(id);  // a space alone looks like that of the token it becomes part of
      pieces.push_back(
          {bytes.size(), bytes == " " ? characterLabel(bytes) : snapshot_.model->entryLabel(id)});
    }
    const std::string made = step ? bytesOf(step->left) + bytesOf(step->right) : "";
    std::vector<bool> joined(ids.size(), false);
    if (step) {  // what stands where a pair stood
      std::size_t before = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool pair = step->before[before] != ids[i];
        joined[i] = pair;
        before += pair ? 2 : 1;
      }
    }
    addRow(pieces, [&](std::size_t i) { return joined[i]; });
  }

  template <typename Joined>
  void addRow(const std::vector<Piece>& pieces, Joined joined) {
    row_ = area_.takeTop(mergeRowHeight);
    float x = row_.x;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const float width = byteWidth_ * static_cast<float>(pieces[i].bytes);
      const float apart = byteWidth_ >= 8 ? 1.0f : 0.25f;
      const Box box{x + apart, row_.y + 2, width - 2 * apart, mergeRowHeight - 4};
      const bool isNew = joined(i);
      scene_.add(Rect{box, isNew ? mix(theme_.ground, theme_.attention, 0.32f) : theme_.raised,
                      isNew ? theme_.attention : Rgba{0, 0, 0, 0}, 3});
      addLabel(pieces[i].label, box);
      x += width;
    }
  }

  // As large as fits; none where not even one letter does.
  void addLabel(const std::string& label, const Box& box) {
    for (const float size : {Theme::small, Theme::small - 2, Theme::small - 4}) {
      if (input_.metrics.width(label, FontFace::Mono, size) > box.width - 2) continue;
      addText(scene_, box.center(), label, {FontFace::Mono, size, theme_.text}, Align::Middle);
      return;
    }
    if (box.width < 24) return;
    addText(scene_, box.center(), label, {FontFace::Mono, Theme::small - 2, theme_.text}, Align::Middle)
        .maxWidth = box.width - 4;
  }

  // At the end of the last row: what it is.
  void note(const std::string& words, const std::string& pair) {
    addText(scene_, {row_.right(), row_.center().y}, words, theme_.note(), Align::End).maxWidth =
        rankWidth_ + 8;
    if (pairWidth_ > 0 && !pair.empty())
      addText(scene_, {row_.right() - rankWidth_ - pairWidth_ + 16, row_.center().y}, pair, theme_.mono())
          .maxWidth = pairWidth_ - 24;
  }

  void addSteps() {
    const int count = static_cast<int>(word_.steps.size());
    const int room = std::max(2, static_cast<int>(area_.height / mergeRowHeight));
    const int head = count <= room ? count : room - 2;  // then the gap, then the last one
    for (int i = 0; i < head; ++i) addStep(i);
    if (head == count) return;
    row_ = area_.takeTop(mergeRowHeight);
    addText(scene_, {row_.x, row_.center().y},
            counted(static_cast<std::size_t>(count - head - 1), "more merge"), theme_.note());
    addStep(count - 1);
  }

  void addStep(int i) {
    const MergeStep& step = word_.steps[static_cast<std::size_t>(i)];
    addPieces(step.after, &step);
    const std::string left = snapshot_.model->entryLabel(step.left),
                      right = snapshot_.model->entryLabel(step.right);
    note("rank " + std::to_string(step.rank), left + " + " + right);
    HitRegion& hit = addHitRegion(scene_, row_, {}, "merge " + std::to_string(i));
    hit.target.text = "“" + left + "” + “" + right + "”: rule of rank " + std::to_string(step.rank) +
                      "\nthe rule learned first applies first";
  }

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const Snapshot& snapshot_;
  const WordMerges& word_;
  Box area_, row_;
  std::string_view bytes_;
  float byteWidth_ = 0, pairWidth_ = 0, rankWidth_ = 0;
};

}  // namespace

Box addMergeSteps(Scene& scene, const SceneInput& input, Stream stream, Box area) {
  const auto& tokens = input.snapshot.pass->tokensOf(stream);
  const int last = static_cast<int>(tokens.size()) - 1, chosen = input.workspace.selection.queryIn(stream);
  const int selected = chosen < 0 || chosen > last ? last : chosen;
  const WordMerges* word = wordAt(input.snapshot, tokens[static_cast<std::size_t>(selected)].begin, stream);
  if (!word) return area;
  const ChosenMerges merges(input.snapshot.model->tokenizer.get(), input.workspace.settings);
  if (merges.all > 0) addMergeSlider(scene, input, merges, area.takeTop(mergeSliderHeight));
  const WordMerges joined = merges.of(*word);
  return MergeSteps(scene, input, area, joined).draw();
}

}  // namespace glassformer
