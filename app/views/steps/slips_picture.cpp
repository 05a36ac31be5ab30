#include "app/views/steps/slips_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/engine/measurements.h"
#include "app/scene/format.h"
#include "core/lens/slips.h"

namespace glassformer {

namespace {

constexpr float slipWords = 28, slipEdge = 20, slipSign = 36, slipScale = 76, slipTokens = 96, slipGap = 24,
                refusalRoom = 340, refusalHeight = 84;

class SlipPicture {
 public:
  explicit SlipPicture(const SceneInput& input)
      : input_(input), theme_(input.theme), slip_(slipCalled(input.workspace.settings.chosen(slipChoice))) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    const HeadId head = selectedHead(input_.workspace, input_.config());
    std::vector<Choice> choices;
    for (const Slip& each : slips())
      choices.push_back({each.label, std::string("printed: ") + each.printed,
                         each.id == std::string_view(slip_.id), commands::choose(slipChoice, each.id)});
    addViewHeader(scene_, input_, area,
                  {slip_.conforms ? "Misprint and correct formula" : "A product that does not conform",
                   slip_.ofHead ? nameOf(head) : "block " + std::to_string(head.layer),

                   {choices}});
    scene_.about = std::string(slip_.printed) + " for " + slip_.right;
    const float first = area.takeTop(slipWords).center().y;
    area.takeTop(
        8 + addLines(scene_, input_, {area.x, first}, area.width, slip_.wrong, theme_.plain(), Align::Start));
    if (const std::string reason = whyNot(head); !reason.empty())
      addText(scene_, area.center(), reason, {FontFace::Ui, Theme::body, theme_.quiet}, Align::Middle)
          .maxWidth = area.width;
    else if (slip_.conforms)
      addResults(area);
    else
      addProducts(area);
    return std::move(scene_);
  }

 private:
  std::string whyNot(HeadId head) const {
    const std::string reason = slip_.whyNot(input_.model(), *input_.snapshot.pass->trace, head);
    if (!reason.empty()) return "Not available here: " + reason + ".";
    return scene_.sources.contains(full(slip::right)) ? "" : waitingWords(input_);
  }

  std::string full(const char* name) const { return slipTensor(name, slip_); }
  TensorRef whole(const char* name) const { return {full(name), {}, 0, 1}; }
  int extent(const char* name, int dimension) const {
    return scene_.sources.find(full(name))->extent[static_cast<std::size_t>(dimension)];
  }
  char letter(const char* name, std::size_t dimension) const {
    return scene_.sources.point(full(name))->letters[dimension];
  }
  std::string sized(const char* name, int dimension) const {
    return std::string(1, letter(name, static_cast<std::size_t>(dimension))) + " " +
           std::to_string(extent(name, dimension));
  }
  bool isShares(const char* name) const { return letter(name, 0) == 'T' && letter(name, 1) == 'S'; }
  Coloring colors(const std::vector<const char*>& parts) const {
    if (isShares(parts.front()) && parts.front() != slip::difference) return {ColorMap::Sequential, {0, 1}};
    Range all = rangeOf(scene_.sources, whole(parts.front()));
    for (const char* each : parts) all = unionOf(all, rangeOf(scene_.sources, whole(each)));
    return {ColorMap::Diverging, symmetric(all)};
  }

  void addMatrix(const Box& box, const char* name, const Coloring& coloring) {
    Matrix matrix;
    matrix.box = box, matrix.values = whole(name), matrix.map = coloring.map, matrix.range = coloring.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    HitRegion& hit = addHitRegion(scene_, box, matrix.values, name);
    hit.target.queries = hit.target.tokens = scene_.sources.point(full(name))->rows;
    hit.target.keys = scene_.sources.point(full(name))->keys;
    hit.rows = extent(name, 0), hit.columns = extent(name, 1);
    if (letter(name, 0) == 'T') hit.rowAxis = isShares(name) ? Axis::Query : Axis::Token;
    hit.columnAxis = isShares(name) ? Axis::Key : Axis::Dimension;
  }
  void addEquation(const Box& box, const char* words, const std::string& equation, Rgba ink) {
    addText(scene_, {box.x, box.center().y}, words, theme_.note());
    const float x = box.x + input_.metrics.width(words, FontFace::Ui, Theme::small) + 12;
    addText(scene_, {x, box.center().y}, equation, {FontFace::Mono, Theme::body, ink}).maxWidth =
        box.right() - x;
  }

  // As printed, as meant, and the difference: the first two on one scale, one below another where rows are
  // wide.
  void addResults(Box area) {
    const bool isBeside = isShares(slip::right);
    const Coloring both = colors({slip::right, slip::printed}), apart = colors({slip::difference});
    area.takeBottom(slipWords);
    area.takeLeft(slipTokens);
    const float cells = (area.width - 2 * slipGap) / 3,
                height = isBeside ? area.height : (area.height - 2 * slipGap) / 3;
    const auto place = [&](int i) {
      const auto at = static_cast<float>(i);
      if (!isBeside) return Box{area.x, area.y + at * (height + slipGap), area.width, height};
      return Box{area.x + at * (cells + slipGap), area.y, cells, height};
    };
    addResult(place(0), slip::printed, "printed", slip_.printed, both, true);
    addResult(place(1), slip::right, "meant", slip_.right, both, !isBeside);
    const float y = 14 + addResult(place(2), slip::difference, "difference", "", apart, !isBeside);
    const TensorRef largest{full(slip::largest), {0}};
    const std::string text = "the largest difference ";
    addText(scene_, {area.x, y}, text, theme_.note());
    addText(scene_, {area.x + input_.metrics.width(text, FontFace::Ui, Theme::small) + 6, y},
            formatted(valueOf(scene_.sources, largest).value_or(NAN)), theme_.mono())
        .value = largest;
  }

  // Returns where it ends.
  float addResult(Box box, const char* name, const char* words, const std::string& equation,
                  const Coloring& coloring, bool labelled) {
    Box heading = box.takeTop(slipWords);
    heading.width += slipGap - 4;  // up to the next one
    addEquation(heading, words, equation, name == slip::printed ? theme_.broken : theme_.text);
    const int rows = extent(name, 0);
    const float scale = isShares(name) ? 0 : slipScale;
    box.takeRight(scale);
    if (isShares(name)) {
      box.takeTop(8), box.takeBottom(8 + levelScale);
      const float cell =
          std::min(box.width / static_cast<float>(extent(name, 1)), box.height / static_cast<float>(rows));
      box.width = cell * static_cast<float>(extent(name, 1)), box.height = cell * static_cast<float>(rows);
    } else {
      box.height = std::min(box.height, 28.0f * static_cast<float>(rows));
    }
    addMatrix(box, name, coloring);
    const Stream stream = scene_.sources.point(full(name))->rows;
    const auto chosen = [&](int t) { return t == input_.query(stream) || input_.hover.touches(t, stream); };
    if (labelled)
      addLabels(scene_, input_,
                {box, Side::Left, rows, slipTokens, [&](int t) { return input_.label(t, stream); }, chosen});
    if (isShares(name)) {
      addLevelScale(scene_, input_, {box.x, box.bottom() + 8, box.width, levelScale}, coloring);
      return box.bottom() + 8 + levelScale;
    }
    addColorScale(scene_, input_,
                  {box.right() + 12, box.y, scale - 12, std::clamp(box.height, 40.0f, 140.0f)}, coloring.map,
                  coloring.range);
    return box.bottom();
  }

  // The columns of all matrices in a row, as printed or as it is right, and the most rows of any.
  float across(bool printed) const {
    const bool swaps = letter(slip::other, 0) == 'T';
    return static_cast<float>(
        extent(slip::left, 1) +
        (printed ? extent(slip::other, 1) : extent(slip::other, swaps ? 1 : 0) + extent(slip::right, 1)));
  }
  float down() const {
    return static_cast<float>(
        std::max({extent(slip::left, 0), extent(slip::other, 0), extent(slip::right, 0)}));
  }
  static constexpr float signsOfRow = 2 * slipSign + 3 * slipEdge;

  // Stacked or side by side, whichever draws the larger matrices. The words about the product that does not
  // conform stand at its right, or below.
  void addProducts(Box area) {
    struct Arrangement {
      bool isBeside, saysBelow;
      float unit;
    };
    const float high = (area.height - slipGap) / 2 - slipWords - slipEdge,
                higher = area.height - slipWords - slipEdge, wide = area.width - signsOfRow;
    const Arrangement all[] = {
        {false, false, std::min({high / down(), wide / across(false), (wide - refusalRoom) / across(true)})},
        {false, true, std::min((high - refusalHeight) / down(), wide / across(false))},
        {true, true,
         std::min((higher - refusalHeight) / down(),
                  (wide - slipGap - signsOfRow) / (across(true) + across(false)))}};
    const auto& [isBeside, saysBelow, unit] = *std::ranges::max_element(all, {}, &Arrangement::unit);
    Box first = isBeside ? area.takeLeft(across(true) * unit + signsOfRow)
                         : area.takeTop((area.height - slipGap) / 2);
    isBeside ? area.takeLeft(slipGap) : area.takeTop(slipGap);
    addEquation(first.takeTop(slipWords), "misprint", slip_.printed, theme_.broken);
    addEquation(area.takeTop(slipWords), "correct", slip_.right, theme_.text);
    addRefused(first, unit, saysBelow);
    addRight(area, unit);
  }

  // Returns where it stands; a turned one is drawn by its columns.
  Box addSized(Point at, const char* name, bool turned, float unit) {
    const int rows = turned ? 1 : 0;
    const Box box{at.x, at.y, static_cast<float>(extent(name, 1 - rows)) * unit,
                  static_cast<float>(extent(name, rows)) * unit};
    const Coloring coloring = colors({name});
    Matrix matrix;
    matrix.box = box, matrix.values = {full(name), {}, rows, 1 - rows}, matrix.map = coloring.map,
    matrix.range = coloring.range;
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    HitRegion& hit = addHitRegion(scene_, box, matrix.values, std::string(name) + (turned ? " turned" : ""));
    hit.rows = extent(name, rows), hit.columns = extent(name, 1 - rows);
    return box;
  }
  // The size of its columns above, or of its rows at the left; `inner`: the one that has to meet another.
  void addAbove(const Box& box, const std::string& words, Rgba ink) {
    addText(scene_, {box.center().x, box.y - 10}, words, {FontFace::Mono, Theme::small, ink}, Align::Middle);
  }
  void addLeft(const Box& box, const std::string& words, Rgba ink) {
    Text& text = addText(scene_, {box.x - 10, box.center().y}, words, {FontFace::Mono, Theme::small, ink},
                         Align::Middle);
    text.upright = true, text.vertical = Align::Middle;
  }
  void addSignAt(float x, float y, const char* sign) {
    addText(scene_, {x, y}, sign, {FontFace::Mono, Theme::title, theme_.text}, Align::Middle);
  }

  void addRefused(const Box& area, float unit, bool saidBelow) {
    const float y = area.y + slipEdge;
    const Box first = addSized({area.x + slipEdge, y}, slip::left, false, unit);
    addSignAt(first.right() + slipSign / 2, y + 16, "·");
    const Box second = addSized({first.right() + slipSign + slipEdge, y}, slip::other, false, unit);
    addAbove(first, sized(slip::left, 1), theme_.broken);
    addLeft(first, sized(slip::left, 0), theme_.quiet);
    addAbove(second, sized(slip::other, 1), theme_.quiet);
    addLeft(second, sized(slip::other, 0), theme_.broken);
    scene_.add(Line{{{first.x, first.y - 2}, {first.right(), first.y - 2}}, theme_.broken, 3});
    scene_.add(Line{{{second.x - 2, second.y}, {second.x - 2, second.bottom()}}, theme_.broken, 3});
    const bool meet = extent(slip::left, 1) == extent(slip::other, 0);
    const std::string shapes = std::string("[") + letter(slip::left, 0) + " × " + letter(slip::left, 1) +
                               "] · [" + letter(slip::other, 0) + " × " + letter(slip::other, 1) + "]:";
    const std::string sizes = sized(slip::left, 1) + (meet ? " = " : " ≠ ") + sized(slip::other, 0),
                      why = meet ? "by chance, in a text of this length" : "not a product";
    const TextStyle broken{FontFace::Mono, Theme::body, theme_.broken};
    if (!saidBelow) {
      const float x = second.right() + slipSign;
      addSignAt(x, y + 16, "=");
      addText(scene_, {x + 28, y + 16}, shapes + " " + sizes, broken).maxWidth = area.right() - x - 28;
      addText(scene_, {x + 28, y + 44}, why, theme_.note()).maxWidth = area.right() - x - 28;
      return;
    }
    const float below = std::max(first.bottom(), second.bottom());
    const auto say = [&](float line, const std::string& words, const TextStyle& style) {
      addText(scene_, {area.x, below + 20 + 24 * line}, words, style).maxWidth = area.width;
    };
    say(0, shapes, broken), say(1, sizes, broken), say(2, why, theme_.note());
  }

  // The weights before the values; of two that read and write, the first turned back.
  void addRight(const Box& area, float unit) {
    const bool swaps = letter(slip::other, 0) == 'T';
    const char *first = swaps ? slip::other : slip::left, *second = swaps ? slip::left : slip::other;
    const float y = area.y + slipEdge;
    const Box a = addSized({area.x + slipEdge, y}, first, false, unit);
    addSignAt(a.right() + slipSign / 2, y + 16, "·");
    const Box b = addSized({a.right() + slipSign + slipEdge, y}, second, !swaps, unit);
    addSignAt(b.right() + slipSign / 2, y + 16, "=");
    const Box product = addSized({b.right() + slipSign + slipEdge, y}, slip::right, false, unit);
    addAbove(a, sized(first, 1), theme_.text);
    addLeft(a, sized(first, 0), theme_.quiet);
    addAbove(b, sized(second, swaps ? 1 : 0), theme_.quiet);
    addLeft(b, sized(second, swaps ? 0 : 1), theme_.text);
    addAbove(product, sized(slip::right, 1), theme_.quiet);
    addLeft(product, sized(slip::right, 0), theme_.quiet);
  }

  const SceneInput& input_;
  const Theme& theme_;
  const Slip& slip_;
  Scene scene_;
};

void measureSlipOfHead(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  measureSlip(slipCalled(pass.workspace.settings.chosen(slipChoice)), pass.model, pass.trace,
              selectedHead(pass.workspace, pass.config()), set);
}

}  // namespace

Scene slipScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "Misprints", input.snapshot.standing.errorOr("Type in the Text box."));
  return SlipPicture(input).drawn();
}

namespace needs {
const Need slipOfHead{
    .name = "a slip of the selected head", .onPass = measureSlipOfHead, .reads = readChoices<slipChoice>};
}  // namespace needs

}  // namespace glassformer
