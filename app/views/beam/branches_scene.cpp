#include "app/views/beam/branches_scene.h"

#include <algorithm>
#include <cmath>

#include "app/document/branch_commands.h"
#include "app/document/text_commands.h"
#include "app/document/text_edit.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/engine/branch_paths.h"
#include "app/scene/format.h"
#include "app/views/beam/beam_nodes.h"
#include "app/views/beam/beam_parts.h"

namespace glassformer {

namespace {

constexpr float leastPathRow = 24, mostPathRow = 44, tagWidth = 204, narrowTag = 184, leastBoth = 34,
                leastPathColumn = 56, narrowNode = 56, mostTagScale = 1.5f;

class BranchesPicture {
 public:
  explicit BranchesPicture(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        snapshot_(std::make_shared<const Snapshot>(input.snapshot)),
        branches_(input.workspace.branches) {
    scene_.sources = input.sources();
    scene_.size = input.pictureSize();
    parents_ = wholeNumbers(paths::parent), tokens_ = wholeNumbers(paths::token);
    ends_ = wholeNumbers(paths::end);
    nodes_ = static_cast<int>(parents_.size()), ways_ = static_cast<int>(ends_.size());
    placeRows();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    Box rest = area;
    rest.takeTop(headingHeight());
    rest.takeTop(20);
    const auto rows = static_cast<float>(std::max<std::size_t>(rows_.size(), 1));
    row_ = std::clamp(rest.height / rows, leastPathRow, mostPathRow);
    tagScale_ = std::clamp(rest.height / (rows * row_), 1.0f, widestTag(rest));
    const Box tags = rest.takeRight((scene_.size.x < 800 ? narrowTag : tagWidth) * tagScale_);
    rest.width -= 8;
    TreeSection section = input_.workspace.settings.beam.section;
    if (section.zoom == 0) section.y = 0;  // from where they part
    const BeamViewport viewport(rest, columns_, row_ * rows, section, leastPathColumn);
    addHeading(area, viewport);
    addDepths(scene_, input_, viewport, columns_);
    addTreeMoving(scene_, viewport);
    scene_.add(PushClip{rest});
    for (int node = 1; node < nodes_; ++node) addLink(node, viewport);
    for (const Row& row : rows_) addLeader(row, viewport);
    for (int node = 0; node < nodes_; ++node) addNode(node, viewport);
    scene_.add(PopClip{});
    for (std::size_t i = 0; i < rows_.size(); ++i) addTag(static_cast<int>(i), tags, viewport);
    return std::move(scene_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  float value(const char* tensor, int i) const {
    return valueOf(scene_.sources, {tensor, {i}}).value_or(NAN);
  }
  // Of a tensor that is asked for again and again.
  std::vector<int> wholeNumbers(const char* tensor) const {
    const TensorView view = *scene_.sources.find(tensor);
    std::vector<int> numbers;
    for (int i = 0; i < view.extent[0]; ++i) numbers.push_back(static_cast<int>(view(i)));
    return numbers;
  }
  int whole(const char* tensor, int i) const { return static_cast<int>(value(tensor, i)); }
  PathKind kind(int way) const { return static_cast<PathKind>(whole(paths::kind, way)); }
  // Names and sums grow with their rows, beside a tree that has all the room it can use.
  float widestTag(Box rest) const {
    rest.width -= tagWidth * mostTagScale + 8;
    return std::min(BeamViewport::roomyScale(rest, columns_), mostTagScale);
  }
  TextStyle grown(TextStyle style) const {
    style.size = std::floor(style.size * tagScale_);
    return style;
  }
  float headingHeight() const {
    return input_.isHeadedApart() ? 0.0f : input_.isStill() ? 56.0f : Theme::control * 2 + 16;
  }

  // The paths that end at one node share a row.
  struct Row {
    int end = 0;
    std::vector<int> ways;
  };

  // In the order of the tree; a node stands in the row of the first path through it.
  void placeRows() {
    rowOfNode_.assign(at(nodes_), -1), depth_.assign(at(nodes_), 0), through_.assign(at(nodes_), {});
    for (int node = 1; node < nodes_; ++node) depth_[at(node)] = depth_[at(parents_[at(node)])] + 1;
    columns_ = *std::ranges::max_element(depth_) + 1;
    std::vector<std::vector<int>> endingAt(at(nodes_));
    for (int way = 0; way < ways_; ++way)
      if (ends_[at(way)] >= 0) endingAt[at(ends_[at(way)])].push_back(way);
    for (int node = 0; node < nodes_; ++node) {
      const Row row{node, endingAt[at(node)]};
      if (row.ways.empty()) continue;
      for (int up = node; up >= 0; up = parents_[at(up)]) {
        through_[at(up)].insert(through_[at(up)].end(), row.ways.begin(), row.ways.end());
        if (rowOfNode_[at(up)] < 0) rowOfNode_[at(up)] = static_cast<int>(rows_.size());
      }
      rows_.push_back(row);
    }
  }

  Rgba color(int way) const {
    switch (kind(way)) {
      case PathKind::Branch: {
        const auto branch = at(whole(paths::index, way));
        return headColor(branch < branches_.size() ? branches_[branch].color : 0, theme_.dark);
      }
      case PathKind::Beam:
        return whole(paths::index, way) == 0 ? theme_.accent : mix(theme_.ground, theme_.accent, 0.6f);
      case PathKind::Sample:
        return mix(theme_.ground, theme_.quiet, 0.6f);
      default:
        return theme_.text;
    }
  }

  std::string name(int way) const {
    const int index = whole(paths::index, way);
    switch (kind(way)) {
      case PathKind::Text:
        return "The text";
      case PathKind::Branch:
        return at(index) < branches_.size() ? branches_[at(index)].name : "?";
      case PathKind::Greedy:
        return "Greedy";
      case PathKind::Beam:
        return "Beam " + std::to_string(index + 1);
      case PathKind::Sample:
        return std::to_string(whole(paths::count, way)) + " of 100";
    }
    return "";
  }

  std::string namesOf(const std::vector<int>& ways) const {
    std::string names;
    for (const int way : ways) names += (names.empty() ? "" : ", ") + name(way);
    return names;
  }

  // What the open text becomes where this node is gone to.
  TabText writingTo(int node) const {
    std::vector<int> tokens;
    for (int up = node; up > 0; up = parents_[at(up)]) tokens.push_back(tokens_[at(up)]);
    std::ranges::reverse(tokens);
    const auto common = at(whole(paths::root, 0));
    const auto& read = input_.snapshot.pass->tokens;
    const std::size_t end = common > 0 && common <= read.size() ? read[common - 1].end : 0;
    return {input_.snapshot.pass->text.substr(0, end) + input_.snapshot.model->bytesOf(tokens),
            input_.snapshot.pass->source};
  }
  TabText writingOf(int way) const {
    const auto index = at(whole(paths::index, way));
    if (kind(way) == PathKind::Branch && index < branches_.size()) return branches_[index].writing;
    return writingTo(ends_[at(way)]);
  }

  void addHeading(Box area, const BeamViewport& viewport) {
    scene_.title = "Branches";
    scene_.about = about();
    addViewTitle(scene_, input_, area, scene_.title);
    Box row = area.takeTop(Theme::control + 12);
    row.takeTop(input_.isStill() ? 0.0f : 4.0f);
    const Box whole = addChoices(scene_, input_, {row.right(), row.y}, {wholeTree(viewport)});
    const ViewSettings& settings = input_.workspace.settings;
    const Box ways = addChoices(
        scene_, input_, {whole.x - 8, row.y},
        {shown("Greedy", "Greedy continuation", greedyPath, showsGreedy(settings)),
         shown("Beam", "Final hypotheses of beam search, best first", beamPaths, showsHypotheses(settings)),
         shown("Samples", "Most frequent of 100 samples", samplePaths, showsSamples(settings))});
    const TabText open{input_.snapshot.pass->text, input_.snapshot.pass->source};
    const bool isKept = keeps(branches_, open);
    const Box keep =
        addChoices(scene_, input_, {ways.x - 8, row.y},
                   {{"Save", isKept ? "This text is a branch" : "Save this text as a branch   Shift K",
                     isKept, commands::keepBranch(open)}});
    if (input_.isHeadedApart()) return;
    addText(scene_, {row.x, row.y + (input_.isStill() ? 8 : Theme::control / 2)}, scene_.about, theme_.note())
        .maxWidth = (input_.isStill() ? row.right() : keep.x - 8) - row.x;
  }

  std::string about() const {
    int elsewhere = 0;
    for (int way = 0; way < ways_; ++way) elsewhere += ends_[at(way)] < 0;
    std::string words = "numbers: Σ ln p from the branching point";
    if (elsewhere > 0)
      words = std::to_string(elsewhere) +
              (elsewhere == 1 ? " has another beginning; " : " have another beginning; ") + words;
    return words;
  }

  static Choice shown(const char* label, const char* tip, const char* path, bool on) {
    return {label, tip, on, commands::choose(path, on ? "off" : "on")};
  }

  Box boxOf(int node, const BeamViewport& viewport) const {
    const float y = (static_cast<float>(rowOfNode_[at(node)]) + 0.5f) * row_ - nodeHeight() / 2;
    const Point from = viewport.place(static_cast<float>(depth_[at(node)]), y);
    return {from.x, from.y, viewport.columnWidth() - viewport.linkWidth(),
            nodeHeight() * viewport.rowScale()};
  }
  float rowY(int row, const BeamViewport& viewport) const {
    return viewport.place(0, (static_cast<float>(row) + 0.5f) * row_).y;
  }
  float nodeHeight() const { return row_ - 6; }
  bool isPointed(int node) const {
    return node >= 0 && pointedWay() >= 0 && std::ranges::count(through_[at(node)], pointedWay());
  }
  int pointedWay() const {
    const TensorRef& cell = input_.hover.cell;
    return cell.tensor == paths::total && cell.index[0] < ways_ ? cell.index[0] : -1;
  }
  // The path whose colour a node has, where several lead through it: the open text, branches, greedy's, ...
  int firstWay(int node) const { return *std::ranges::min_element(through_[at(node)]); }

  void addLink(int node, const BeamViewport& viewport) {
    const Box from = boxOf(parents_[at(node)], viewport), to = boxOf(node, viewport);
    const Box& area = viewport.area();
    if (std::max(from.center().y, to.center().y) < area.y ||
        std::min(from.center().y, to.center().y) > area.bottom() || to.x < area.x ||
        from.right() > area.right())
      return;
    Ribbon ribbon;
    ribbon.from = {from.right(), from.center().y}, ribbon.to = {to.x, to.center().y};
    ribbon.value = {paths::probability, {node}};
    ribbon.range = {0, 1};
    ribbon.thickness = std::clamp(9 * viewport.rowScale(), 2.0f, 12.0f);
    ribbon.color = isPointed(node) ? theme_.text : mix(theme_.ground, color(firstWay(node)), 0.7f);
    scene_.add(ribbon);
  }

  // From the end of a path to its name.
  void addLeader(const Row& row, const BeamViewport& viewport) {
    const Box from = boxOf(row.end, viewport);
    const Point end{viewport.area().right(), from.center().y};
    scene_.add(Line{{{from.right(), end.y}, end}, mix(theme_.ground, color(row.ways.front()), 0.35f)});
  }

  void addNode(int node, const BeamViewport& viewport) {
    const Box box = boxOf(node, viewport), &area = viewport.area();
    if (box.x >= area.right() || box.right() <= area.x || box.y >= area.bottom() || box.bottom() <= area.y)
      return;
    const bool pointed = isPointed(node);
    scene_.add(Rect{box, node == 0 ? theme_.raised : theme_.panel, pointed ? theme_.text : theme_.line,
                    std::min(Theme::radius, box.height / 3)});
    addColors(node, box);
    addWords(node, box, viewport);
    addHit(node, box, area);
  }

  // Below its token a node has the colours of all paths that lead through it.
  void addColors(int node, const Box& box) {
    const std::vector<int>& ways = through_[at(node)];
    const Box strip{box.x + 3, box.bottom() - 4, box.width - 6, 3};
    const auto count = static_cast<float>(ways.size());
    for (std::size_t i = 0; i < ways.size(); ++i)
      scene_.add(
          Rect{{strip.x + strip.width * static_cast<float>(i) / count, strip.y, strip.width / count, 3},
               color(ways[i])});
  }

  void addWords(int node, const Box& box, const BeamViewport& viewport) {
    if (box.height < 12 || box.width < 20) return;
    const bool both = box.height >= leastBoth - 6 && node != 0 && box.width >= 40;
    const Box& area = viewport.area();
    const float size =
        box.height < 20 || box.width < narrowNode ? 11.0f : std::max(Theme::small, viewport.letterSize());
    const std::string words = node == 0 ? rootLabel() : beamLabel(*snapshot_, tokens_[at(node)]);
    const float room = box.width - 2 * gapIn(box);
    addLine(box, area, both ? 0.28f : 0.48f, {words},
            {FontFace::Mono, letterSizeIn(room, input_, words, size), theme_.text});
    if (!both) return;
    const float p = value(paths::probability, node);
    if (Text* share = addLine(box, area, 0.65f, {formattedPercent(p), formattedFixed(100 * p, 0) + " %"},
                              {FontFace::Mono, size - 2, theme_.quiet}))
      share->value = {paths::probability, {node}};
  }

  // At this share of a node's height, in what is seen of it, what fits there of these, the longest first;
  // null where that is too little.
  Text* addLine(const Box& box, const Box& area, float height, std::vector<std::string> wordings,
                const TextStyle& style) {
    const float y = box.y + box.height * height;
    const float gap = gapIn(box);
    const float left = std::max(box.x + gap, area.x + 3),
                right = std::min(box.right(), area.right()) - std::min(gap, 4.0f);
    if (y - style.size / 2 < area.y || y + style.size / 2 > area.bottom() || right - left < 16)
      return nullptr;
    Text& line =
        addText(scene_, {left, y}, wordingFor(right - left, input_, style, std::move(wordings)), style);
    line.maxWidth = right - left;
    return &line;
  }
  static float gapIn(const Box& node) { return node.width < narrowNode ? 3 : 6; }
  std::string rootLabel() const { return "…" + input_.label(whole(paths::root, 0) - 1); }

  void addHit(int node, const Box& box, const Box& area) {
    const float x = std::max(box.x, area.x), y = std::max(box.y, area.y);
    HitRegion& hit = addHitRegion(
        scene_, {x, y, std::min(box.right(), area.right()) - x, std::min(box.bottom(), area.bottom()) - y},
        {}, "branch node " + std::to_string(node));
    if (node == 0) {
      hit.target.text = countWords(whole(paths::root, 0), "token") + " that all have in common";
    } else {
      hit.target.cell = {paths::probability, {node}};
      hit.target.entry = tokens_[at(node)];
      hit.target.text = "“" + beamLabel(*snapshot_, tokens_[at(node)]) + "” of " +
                        namesOf(through_[at(node)]) + "\nlog P " +
                        formattedFixed(value(paths::cumulative, node), 3) +
                        " from the branching point; click to take the text up to here";
    }
    const TabText writing = writingTo(node);
    hit.click = [writing](const Target&) { return commands::takeWriting(writing, "text of the tree"); };
    hit.extend = [writing](const Target&) { return commands::writingToTab(writing); };
  }

  void addTag(int at, const Box& tags, const BeamViewport& viewport) {
    const Row& row = rows_[static_cast<std::size_t>(at)];
    const int way = row.ways.front();
    const float y = rowY(at, viewport), height = row_ * viewport.rowScale();
    const Box box{tags.x, y - height / 2 + 1, tags.width, height - 2};
    if (box.y < viewport.area().y - 2 || box.bottom() > viewport.area().bottom() + 2 || height < 13) return;
    if (pointedWay() == way) scene_.add(Rect{box, theme_.raised, {0, 0, 0, 0}, 4});
    addSwatch(row, {box.x + 4, y - 6 * tagScale_, 4, 12 * tagScale_});
    const bool both = height >= leastBoth;
    const TensorRef total{paths::total, {way}};
    const float right = box.right() - 26;
    const std::string sum = formattedFixed(value(paths::total, way), 3);
    const TextStyle number = grown(theme_.mono()), strong = grown(theme_.strong());
    const float line = both ? 8 * tagScale_ : 0;  // from the middle
    addText(scene_, {right, y - line}, sum, number, Align::End).value = total;
    const float room = right - input_.metrics.width(sum, number.face, number.size) - 8 - box.x - 14;
    std::vector<std::string> names{namesOf(row.ways)};
    if (row.ways.size() > 1) names.push_back(name(way) + " + " + std::to_string(row.ways.size() - 1));
    addText(scene_, {box.x + 14, y - line}, wordingFor(room, input_, strong, names), strong).maxWidth = room;
    if (both)
      addText(scene_, {box.x + 14, y + line}, lengthWords(way),
              grown({FontFace::Ui, Theme::small - 1, theme_.quiet}))
          .maxWidth = right - box.x - 14;
    HitRegion& hit =
        addHitRegion(scene_, {box.x, box.y, box.width - 24, box.height}, total, "path of " + name(way));
    hit.target.text = "probability of " + namesOf(row.ways) +
                      " from the branching point: " + lengthWords(way) +
                      "\na click takes the text, with Ctrl into a tab of its own";
    const TabText writing = writingOf(way);
    hit.click = [writing, called = name(way)](const Target&) {
      return commands::takeWriting(writing, called);
    };
    hit.extend = [writing](const Target&) { return commands::writingToTab(writing); };
    addButton(row, {box.right() - 22, y - 10, 20, 20}, writing);
  }

  // The colours of all that end here, one below the other.
  void addSwatch(const Row& row, const Box& box) {
    const auto count = static_cast<float>(row.ways.size());
    for (std::size_t i = 0; i < row.ways.size(); ++i)
      scene_.add(
          Rect{{box.x, box.y + box.height * static_cast<float>(i) / count, box.width, box.height / count},
               color(row.ways[i])});
  }

  std::string lengthWords(int way) const {
    const int length = whole(paths::length, way);
    if (length == 0) return "other paths";
    std::string words = countWords(length, "token") + ", " +
                        formattedFixed(value(paths::total, way) / static_cast<float>(length), 3) + " each";
    if (const float score = value(paths::score, way);
        std::isfinite(score) && input_.workspace.decoding.lengthPenalty != 0)
      words = "score " + formattedFixed(score, 3) + ", " + countWords(length, "token");
    return words;
  }

  // A branch is dropped, anything else kept as one.
  void addButton(const Row& row, const Box& box, const TabText& writing) {
    if (input_.isStill()) return;
    const auto branch = std::ranges::find(row.ways, PathKind::Branch, [&](int way) { return kind(way); });
    const bool isBranch = branch != row.ways.end();
    const int way = isBranch ? *branch : row.ways.front();
    addText(scene_, box.center(), isBranch ? "×" : "+", {FontFace::Ui, Theme::body, theme_.quiet},
            Align::Middle);
    HitRegion& hit = addHitRegion(scene_, box, {}, (isBranch ? "dropping of " : "keeping of ") + name(way));
    hit.target.text = isBranch ? "Delete this branch" : "Save as a branch";
    hit.click = [isBranch, writing, index = whole(paths::index, way)](const Target&) {
      return isBranch ? commands::dropBranch(index) : commands::keepBranch(writing);
    };
  }

  const SceneInput& input_;
  const Theme& theme_;
  std::shared_ptr<const Snapshot> snapshot_;
  const std::vector<Branch>& branches_;
  Scene scene_;
  int nodes_ = 0, ways_ = 0, columns_ = 1;
  float row_ = mostPathRow, tagScale_ = 1;
  std::vector<Row> rows_;
  std::vector<int> parents_, tokens_, ends_;  // of nodes; of paths
  std::vector<int> rowOfNode_, depth_;
  std::vector<std::vector<int>> through_;  // the paths through each node
};

}  // namespace

Scene branchesScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (snapshot.model->config && !snapshot.model->continues())
    return emptyScene(input, "No branches", "A masked language model does not continue texts.");
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No branches yet", snapshot.standing.errorOr("Type in the Text box."));
  if (!input.sources().contains(paths::kind)) return emptyScene(input, "Branches", waitingWords(input));
  return BranchesPicture(input).drawn();
}

}  // namespace glassformer
