#include "app/views/influence/leave_out_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/engine/causal_map.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

// What ViewSettings::choices calls which number is shown.
constexpr const char *leftOutChoice = "influence.left_out", *byDivergence = "divergence";
constexpr float rowName = 88, columnName = 28, mostCellHeight = 88, mostCellWidth = 144;

class LeaveOutPicture {
 public:
  explicit LeaveOutPicture(InfluenceView& view)
      : view_(view),
        input_(view.input),
        theme_(view.theme),
        rows_(causalRows(view.config)),
        columns_(causalColumns(view.config)) {
    const auto chosen = input_.workspace.settings.choices.find(std::string_view(leftOutChoice));
    isDivergence_ = chosen != input_.workspace.settings.choices.end() && chosen->second == byDivergence;
    values_ = {isDivergence_ ? causal::divergence : causal::logit, {0, 0}, 0, 1};
  }

  void draw(Box area) {
    const Snapshot& snapshot = input_.snapshot;
    const std::string prediction =
        view_.prediction(snapshot.entryLabel(snapshot.predicted.entry), view_.position);
    addInfluenceHeader(
        view_, area, "What " + prediction + " needs",
        "each part left out by itself, everything behind it computed anew; a click leaves it out",
        {choice("Logit", "what the logit changes by", false),
         choice("Distribution", "how far all probabilities move: KL in nats", true)});
    area.takeTop(8);
    Box column = area.takeRight(std::clamp(area.width * 0.24f, 168.0f, 264.0f));
    area.takeRight(24);
    addEntryList(view_.scene, input_, column,
                 {view_.position, snapshot.predicted.entry, [](int entry) {
                    return commands::changeSettings([=](ViewSettings& s) { s.influence.entry = entry; });
                  }});
    if (!view_.isThere(values_.tensor)) return addInfluenceWaiting(view_, area);
    const Range all = rangeOf(view_.scene.sources, values_);
    scale_ = isDivergence_ ? Coloring{ColorMap::Sequential, {0, std::max(all.high, 1e-6f)}}
                           : Coloring{ColorMap::Diverging, symmetric(all)};
    addColorScale(view_.scene, input_,
                  {column.x + 8, column.y, column.width, std::min(column.height, 160.0f)}, scale_.map,
                  scale_.range);
    addMap(area);
  }

 private:
  Choice choice(const char* label, const char* tip, bool divergence) const {
    return {label, tip, isDivergence_ == divergence, commands::changeSettings([=](ViewSettings& s) {
              if (divergence)
                s.choices[leftOutChoice] = byDivergence;
              else
                s.choices.erase(leftOutChoice);
            })};
  }
  std::string nameOfColumn(int column) const {
    const int heads = columns_ - 2;
    if (column < heads) return std::to_string(column);
    return column == heads ? heads > 0 ? "all heads" : "mixing" : "MLP";
  }
  std::string nameOfRow(int row) const {
    const auto [site, layer] = rows_[static_cast<std::size_t>(row)];
    const char* stack = site == AttentionSite::Encoder   ? "encoder "
                        : site == AttentionSite::Decoder ? "decoder "
                        : site == AttentionSite::Across  ? "across "
                                                         : "block ";
    return stack + std::to_string(layer);
  }

  void addMap(const Box& area) {
    const auto down = static_cast<float>(rows_.size()), across = static_cast<float>(columns_);
    const float width = std::min((area.width - rowName) / across, mostCellWidth),
                height = std::min((area.height - columnName) / down, mostCellHeight);
    const Box map{area.x + rowName, area.y + columnName, width * across, height * down};
    Matrix matrix;
    matrix.values = values_, matrix.box = map, matrix.map = scale_.map, matrix.range = scale_.range;
    view_.scene.add(matrix);
    addCellNumbers(view_.scene, input_, matrix, height > 36 ? Theme::body : Theme::small, 11);
    view_.scene.add(Rect{map, {0, 0, 0, 0}, theme_.line, 0, 1});
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row)
      for (int column = 0; column < columns_; ++column)
        addPart(row, column, map.cell(row, column, static_cast<int>(rows_.size()), columns_));
    const auto none = [](int) { return false; };
    addLabels(view_.scene, input_,
              {map, Side::Left, static_cast<int>(rows_.size()), rowName - 8,
               [&](int i) { return nameOfRow(i); }, none, FontFace::Ui});
    for (int column = 0; column < columns_; ++column)
      addText(view_.scene, {map.x + (static_cast<float>(column) + 0.5f) * width, map.y - 12},
              nameOfColumn(column), {FontFace::Ui, Theme::small, theme_.quiet}, Align::Middle)
          .maxWidth = width - 2;
  }

  void addPart(int row, int column, const Box& box) {
    const auto part = causalPart(view_.config, rows_[static_cast<std::size_t>(row)], column);
    if (!part) return;
    const bool off = isOff(input_.workspace.interventions, *part);
    HitRegion hit;
    hit.box = box;
    hit.target.cell = values_.cell(row, column);
    hit.target.layer = part->layer;
    if (part->kind == ModelPart::Kind::Head) hit.target.head = part->head;
    hit.target.text = nameOf(*part) + (off ? " is left out; a click brings it back" : ": without it");
    hit.name = "left out " + nameOf(*part);
    hit.click = [part = *part](const Target&) { return commands::togglePart(part); };
    view_.scene.hits.push_back(std::move(hit));
    if (off) addOutline(view_.scene, box.inset(2), theme_.broken, 2);
  }

  InfluenceView& view_;
  const SceneInput& input_;
  const Theme& theme_;
  std::vector<CausalRow> rows_;
  int columns_;
  bool isDivergence_ = false;
  TensorRef values_;
  Coloring scale_;
};

}  // namespace

void drawLeaveOutLayout(InfluenceView& view, Box area) {
  if (const std::string& missing = view.input.snapshot.keptMissing; !missing.empty())
    view.scene = emptyScene(view.input, "Nothing is left out here", missing);
  else
    LeaveOutPicture(view).draw(area);
}

}  // namespace glassformer
