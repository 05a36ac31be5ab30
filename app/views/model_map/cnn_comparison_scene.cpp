#include "app/views/model_map/cnn_comparison_scene.h"

#include <algorithm>
#include <map>

#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/views/model_map/map_ink.h"
#include "app/views/model_map/parallel_blocks.h"

namespace glassformer {

namespace {

class Parallels {
 public:
  explicit Parallels(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        ink_(scene_, input.theme),
        blocks_(parallelBlocks(input.config())),
        loaded_(input.snapshot.model->loadedConfig.value_or(input.config())) {
    scene_.size = input.pictureSize();
    own_ = namedBlockOf(input.config());
    countRows();
  }

  Scene drawn() {
    const float margin = marginOf(input_, scene_.size.x);
    scene_.size.y = std::max(scene_.size.y, 2 * margin + (input_.isHeadedApart() ? 0 : 96) + footHeight +
                                                columnHeader + 8 + leastRow * rows());
    Box area = contentOf(input_, scene_.size);
    addViewHeader(
        scene_, input_, area,
        {"CNN comparison: counterparts in a row",
         "Read from below, each with the model dim of this model; point at a box for its counterpart",

         {}});
    rowHeight_ = std::clamp((area.height - columnHeader - footHeight - 8) / rows(), leastRow, mostRow);
    area.height = columnHeader + rowHeight_ * rows() + 8;
    addFoot({area.x, area.bottom(), area.width, footHeight});
    const auto count = static_cast<float>(blocks_.size());
    const float width = std::min(mostColumn, (area.width - (count - 1) * gap) / count);
    area = {area.x + (area.width - count * width - (count - 1) * gap) / 2, area.y, area.width, area.height};
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      addColumn(static_cast<int>(i), area.takeLeft(width));
      area.takeLeft(gap);
    }
    return std::move(scene_);
  }

 private:
  static constexpr float columnHeader = 60, footHeight = 56, leastRow = 20, mostRow = 48, gap = 16,
                         mostColumn = 400, streamAt = 18, boxAt = 42, riserAt = 56;

  // Rows that no block has are left out.
  void countRows() {
    for (int row = 0; row < blockRowCount; ++row)
      for (const ParallelBlock& block : blocks_)
        for (const BlockPart& part : block.parts)
          if (static_cast<int>(part.row) == row) shownRows_.try_emplace(part.row, shownRows_.size());
  }
  float rows() const { return static_cast<float>(shownRows_.size()); }

  // How the pointer's part is told from others.
  static int idOf(int column, BlockRow row) { return column * blockRowCount + static_cast<int>(row); }
  bool isPointed(int column, BlockRow row) const { return input_.hover.blockPart == idOf(column, row); }
  bool isLit(int column, BlockRow row) const {
    const int pointed = input_.hover.blockPart;
    if (pointed < 0 || pointed >= static_cast<int>(blocks_.size()) * blockRowCount) return false;
    const NamedBlock& other = *blocks_[static_cast<std::size_t>(pointed / blockRowCount)].kind;
    return isPointed(column, row) || areCounterparts(other, static_cast<BlockRow>(pointed % blockRowCount),
                                                     *blocks_[static_cast<std::size_t>(column)].kind, row);
  }

  void addColumn(int column, const Box& place) {
    const ParallelBlock& block = blocks_[static_cast<std::size_t>(column)];
    Box area = place;
    addColumnHeader(block, area.takeTop(columnHeader).inset(0, 4));
    const bool isOwn = block.kind == own_;
    ink_.block(area, isOwn);
    if (isOwn) scene_.add(Rect{area, {0, 0, 0, 0}, theme_.accent, Theme::radius});
    ink_.flow({{area.x + streamAt, area.bottom()}, {area.x + streamAt, area.y}}, false);
    for (std::size_t i = 0; i < block.parts.size(); ++i) addPart(column, i, area);
  }

  void addColumnHeader(const ParallelBlock& block, const Box& head) {
    const bool isOwn = block.kind == own_;
    const ModelChanges changes = withBlock(input_.workspace.changes, loaded_, *block.kind);
    const Result<ModelConfig> made = changedConfig(loaded_, changes);
    float right = head.right();
    if (!isOwn && made) {
      const std::string tip = std::string("build it: ") + block.kind->meaning + "; weights that fit are kept";
      right = addChoices(scene_, input_, {head.right(), head.y},
                         {{"Build", tip, false, commands::setModelChanges(changes)}})
                  .x;
      if (input_.room == Room::Window) scene_.hits.back().name = std::string("build ") + block.kind->id;
    }
    const TextStyle name{FontFace::Strong, Theme::body, isOwn ? theme_.accent : theme_.text};
    const TextStyle whose{FontFace::Ui, Theme::small, theme_.accent};
    const char* const ours = "this model’s";
    const float named = input_.metrics.width(block.kind->name, name.face, name.size) + 12,
                said = input_.metrics.width(ours, whose.face, whose.size);
    if (isOwn && named + said <= head.width) {  // else its frame says so
      addText(scene_, {head.right(), head.y + 12}, ours, whose, Align::End);
      right -= said + 4;
    }
    addText(scene_, {head.x, head.y + 12}, block.kind->name, name).maxWidth = right - head.x - 8;
    const std::string note = isOwn || made ? "" : " · not here: " + made.error().what;
    addText(scene_, {head.x, head.y + 38}, block.source + note, theme_.note()).maxWidth = head.width;
  }

  float middleOf(BlockRow row, const Box& area) const {
    return area.bottom() - 4 - (static_cast<float>(shownRows_.at(row)) + 0.5f) * rowHeight_;
  }

  // Closer together where there is little room.
  float halfBox() const { return rowHeight_ / 2 - (rowHeight_ < 28 ? 1.5f : 3.0f); }

  static bool isSum(BlockRow row) { return row == BlockRow::Skip || row == BlockRow::SkipMlp; }
  static bool isNormRow(BlockRow row) {
    return row == BlockRow::NormFirst || row == BlockRow::NormOut || row == BlockRow::NormBetween ||
           row == BlockRow::NormDown || row == BlockRow::NormLast;
  }
  // A norm of the stream itself.
  static bool isOnStream(const ParallelBlock& block, std::size_t i) {
    return isNormRow(block.parts[i].row) && block.config.normPlacement == NormPlacement::Post;
  }
  // What reads the stream: the first part, what stands behind a sum, and of parallel sublayers the second.
  static bool readsStream(const ParallelBlock& block, std::size_t i) {
    if (i == 0 || isSum(block.parts[i - 1].row) || isOnStream(block, i - 1)) return true;
    const bool beginsMlp = block.parts[i].row == BlockRow::NormBetween ||
                           (block.parts[i].row == BlockRow::Up && !isNormRow(block.parts[i - 1].row));
    return block.config.parallel && beginsMlp;
  }

  void addPart(int column, std::size_t i, const Box& area) {
    const ParallelBlock& block = blocks_[static_cast<std::size_t>(column)];
    const BlockPart& part = block.parts[i];
    const float middle = middleOf(part.row, area), stream = area.x + streamAt;
    const Box box{area.x + boxAt, middle - halfBox(), area.width - boxAt - 10, 2 * halfBox()};
    if (isSum(part.row))
      addSum(column, i, area, middle);
    else if (isOnStream(block, i))
      ink_.flow({{box.x, middle}, {stream, middle}}, true);
    else if (readsStream(block, i))
      ink_.flow({{stream, middle}, {box.x, middle}}, true);
    else
      connect(block.parts[i - 1].row, area, box.bottom());
    addBox(column, i, box);
  }

  // From the top of the part below.
  void connect(BlockRow below, const Box& area, float to) {
    const float from = middleOf(below, area) - halfBox(), x = area.x + riserAt;
    ink_.flow({{x, from}, {x, to}}, from - to > rowHeight_ / 2);
  }

  void addSum(int column, std::size_t i, const Box& area, float middle) {
    const ParallelBlock& block = blocks_[static_cast<std::size_t>(column)];
    constexpr float radius = 6;
    const float stream = area.x + streamAt, riser = area.x + riserAt,
                from = middleOf(block.parts[i - 1].row, area) - halfBox();
    const bool adds = block.config.residual;
    ink_.flow({{riser, from}, {riser, middle}, {adds ? stream + radius : stream, middle}}, true);
    if (block.config.parallel && block.config.hasFeedForward()) addBeside(block, area, middle);
    if (adds)
      ink_.sum({stream, middle}, radius, isLit(column, block.parts[i].row));
    else
      ink_.cut({stream, middle + 2}, block.kind == own_);
  }

  // What attention adds, past the MLP.
  void addBeside(const ParallelBlock& block, const Box& area, float top) {
    const auto out = std::ranges::find(block.parts, BlockRow::Out, &BlockPart::row);
    if (out == block.parts.end()) return;
    const float right = area.right() - 10, y = middleOf(BlockRow::Out, area);
    ink_.flow({{right, y}, {right + 5, y}, {right + 5, top}, {area.x + riserAt, top}}, false);
  }

  void addBox(int column, std::size_t i, const Box& box) {
    const ParallelBlock& block = blocks_[static_cast<std::size_t>(column)];
    const BlockPart& part = block.parts[i];
    const bool isLit = this->isLit(column, part.row), sums = isSum(part.row);
    ink_.box(box.inset(sums ? 24 : 0, 0), {.lit = isLit}, !sums);
    if (part.row == BlockRow::Mix)
      scene_.add(Rect{{box.x, box.y, 4, box.height}, theme_.attention, {0, 0, 0, 0}, 2});
    const TextStyle quiet = theme_.quietMono();
    const float name = box.x + (sums ? 32.0f : 12.0f),
                size = part.size.empty() ? 0 : input_.metrics.width(part.size, quiet.face, quiet.size) + 12;
    const TextStyle style{isLit ? FontFace::Strong : FontFace::Ui, Theme::small,
                          sums && !isLit ? theme_.quiet : theme_.text};
    const bool fits =
        name + input_.metrics.width(part.name, FontFace::Strong, style.size) + size < box.right();
    addText(scene_, {name, box.center().y}, part.name, style).maxWidth =
        box.right() - name - (fits ? size : 4);
    if (!part.size.empty() && fits)
      addText(scene_, {box.right() - 8, box.center().y}, part.size, quiet, Align::End);
    addHit(column, part, box);
  }

  void addHit(int column, const BlockPart& part, const Box& box) {
    const ParallelBlock& block = blocks_[static_cast<std::size_t>(column)];
    HitRegion& hit = addHitRegion(scene_, box, {}, std::string(block.kind->id) + " " + part.step);
    hit.target.blockPart = idOf(column, part.row);
    hit.target.text = part.name + (part.size.empty() ? "" : "   " + part.size) + "\n" + wordsOf(block, part);
    if (block.kind == own_) {
      hit.target.text += "\nclick: its step";
      hit.click = [step = ownStep(part.step)](const Target&) {
        const Command open = commands::setStep(step), picture = commands::choosePicture("step", "equation");
        return Command{[=](Workspace& w) { open.apply(w), picture.apply(w); }, "", ""};
      };
    } else {
      const ModelChanges changes = withBlock(input_.workspace.changes, loaded_, *block.kind);
      if (const auto made = changedConfig(loaded_, changes); !made)
        hit.target.text += "\nnot here: " + made.error().what;
      else
        hit.target.text += std::string("\nclick: build the ") + block.kind->name,
            hit.click = [changes](const Target&) { return commands::setModelChanges(changes); };
    }
  }

  // The same step in the selected block of the open model.
  std::string ownStep(const std::string& step) const {
    const std::string part = placeOfPoint(step).part;
    return blockPoint(input_.config(), input_.layer(), part);
  }

  void addFoot(Box foot) {
    foot.takeTop(8);
    const Box line = foot.takeTop(24);
    scene_.add(Rect{{line.x, line.center().y - 6, 4, 12}, theme_.attention, {0, 0, 0, 0}, 2});
    addText(scene_, {line.x + 12, line.center().y},
            "mixes tokens; all other boxes process each token separately, with the same weights",
            theme_.note())
        .maxWidth = line.width - 12;
    addText(scene_, {foot.x, foot.y + 13},
            "Norms replace BatchNorm. The last ReLU of a ResNet block is missing, as in He et al. 2016.",
            theme_.note())
        .maxWidth = foot.width;
  }

  const SceneInput& input_;
  const Theme& theme_;
  Scene scene_;
  MapInk ink_;
  std::vector<ParallelBlock> blocks_;
  ModelConfig loaded_;               // of the open model, before it was changed
  const NamedBlock* own_ = nullptr;  // of the open model; null: none of these
  std::map<BlockRow, std::size_t> shownRows_;
  float rowHeight_ = leastRow;
};

}  // namespace

Scene parallelsScene(const SceneInput& input) {
  if (!input.snapshot.model->config)
    return emptyScene(input, "No model loaded", input.snapshot.standing.error);
  return Parallels(input).drawn();
}

}  // namespace glassformer
