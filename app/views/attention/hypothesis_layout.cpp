#include "app/views/attention/hypothesis_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/hypothesis_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/text_examples.h"
#include "app/engine/hypothesis_bench.h"
#include "app/scene/format.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float blockNames = 88, headNumbers = 26, mostBenchCell = 120, benchScale = 72, namedRow = 26,
                namedNumber = 44, namedRecovered = 72, leastBench = 452, differsLine = 26, differsNumber = 56;
constexpr std::size_t hypothesisLetters = 28;

class HypothesisPicture {
 public:
  explicit HypothesisPicture(AttentionView& view)
      : view_(view),
        scene_(view.scene),
        input_(view.input),
        theme_(view.theme),
        config_(view.config),
        hypothesis_(hypothesisAsked(view.input.workspace)),
        shown_(view.input.workspace.settings.chosen(benchNumber)) {}

  void draw(Box area) {
    addHypothesisHeader(area);
    // Lower than that the picture scrolls.
    area.height = std::max(area.height, leastBench);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    const float lines = std::clamp(std::floor((area.height * 0.32f - 32) / differsLine), 3.0f,
                                   static_cast<float>(HypothesisBench::examplesKept));
    const Box differs = area.takeBottom(32 + differsLine * lines);
    area.takeBottom(16);
    addDiffering(differs);
    if (!isThere()) return addWaiting(area);
    const Box column = area.takeRight(std::clamp(area.width * 0.44f, 256.0f, 440.0f));
    area.takeRight(24);
    addHeads(area);
    addSelected(column);
  }

 private:
  bool isThere() const { return scene_.sources.contains(bench::agreement); }
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  std::string said() const { return "“" + excerpt(hypothesis_, hypothesisLetters) + "”"; }
  bool isShown(const char* number) const { return shown_ == number; }
  const char* shownTensor() const {
    return isShown(benchRecovered) ? bench::recovered : isShown(benchWorth) ? bench::worth : bench::agreement;
  }
  // Why the loss cannot be told, where it is shown; else empty.
  std::string whyNoLoss() const { return shown_.empty() ? "" : whyNoRecoveredLoss(config_); }

  void addHypothesisHeader(Box& area) {
    const auto choice = [&](const char* label, const char* tip, const char* value) {
      return Choice{label, tip, shown_ == value, commands::choose(benchNumber, value)};
    };
    const char* const equation = isShown(benchRecovered) ? "(L even − L so) / (L even − L)"
                                 : isShown(benchWorth)   ? "L even − L, in nats"
                                                         : "Σ min(A, P)";
    addHeader(view_, area, equation, "Heads by " + said(),
              {{choice("Agreement", "how much of its attention each head shares with the hypothesis", ""),
                choice("Recovered",
                       "how much of the loss comes back with the hypothesis in the head's place, beside "
                       "looking evenly: the best heads first",
                       benchRecovered),
                choice("Worth", "how much loss it costs when the head looks evenly", benchWorth)}});
    area.takeTop(8);
  }

  void addWaiting(const Box& area) {
    const std::string& missing = input_.snapshot.kept.missing;
    addText(scene_, {area.x, area.y + 16}, missing.empty() ? waitingWords(input_) : missing, theme_.note())
        .maxWidth = area.width;
  }

  std::vector<HeadId> firstHeads() const {
    std::vector<HeadId> rows;
    for (const AttentionSite site : sitesOf(config_))
      for (int layer = 0; layer < config_.layers; ++layer) rows.push_back({layer, 0, site});
    return rows;
  }
  static std::string blockWords(HeadId head) {
    const char* const stack = head.site == AttentionSite::Encoder   ? "encoder "
                              : head.site == AttentionSite::Decoder ? "decoder "
                              : head.site == AttentionSite::Across  ? "across "
                                                                    : "block ";
    return stack + std::to_string(head.layer);
  }

  // A row for each block, a column for each head.
  void addHeads(Box area) {
    if (const std::string none = whyNoLoss(); !none.empty()) {
      addText(scene_, {area.x, area.y + 16}, "There is no such number: " + none, theme_.note()).maxWidth =
          area.width;
      return;
    }
    const std::vector<HeadId> rows = firstHeads();
    const int down = static_cast<int>(rows.size()), across = config_.heads;
    area.takeLeft(blockNames);
    area.takeRight(benchScale);
    area.takeTop(headNumbers);
    const float width = std::min(area.width / static_cast<float>(across), mostBenchCell),
                height = std::min(area.height / static_cast<float>(down), mostBenchCell);
    Matrix matrix;
    matrix.box = {area.x, area.y, width * static_cast<float>(across), height * static_cast<float>(down)};
    matrix.values = {shownTensor(), {0, 0}, 0, 1};
    matrix.gaps = true;  // not computed yet, or nothing to say
    const Coloring colors = coloringOf(matrix.values);
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, height > 36 ? Theme::body : Theme::small, 11);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addColorScale(
        scene_, input_,
        {matrix.box.right() + 16, matrix.box.y, benchScale - 16, std::min(matrix.box.height, 160.0f)},
        colors.map, colors.range);
    const int row = benchRow(config_, view_.selected);
    addLabels(scene_, input_,
              {matrix.box, Side::Left, down, blockNames - 8,
               [&](int i) { return blockWords(rows[static_cast<std::size_t>(i)]); },
               [&](int i) { return i == row; }, FontFace::Ui});
    addLabels(scene_, input_,
              {matrix.box, Side::Top, across, headNumbers, [](int i) { return std::to_string(i); },
               [&](int i) { return i == view_.selected.head; }, FontFace::Ui, Theme::small, true});
    addOutline(scene_, matrix.box.cell(row, view_.selected.head, down, across), theme_.accent, 2);
    addHeadHits(matrix, rows);
  }

  Coloring coloringOf(const TensorRef& values) const {
    if (isShown(benchRecovered)) return {ColorMap::Diverging, {-1, 1}};
    const Range all = rangeOf(scene_.sources, values);
    if (isShown(benchWorth)) return {ColorMap::Diverging, symmetric(unionOf(all, {-1e-6f, 1e-6f}))};
    return {ColorMap::Sequential, {0, std::max(roundedUp(std::max(all.high, 0.0f)), 0.01f)}};
  }

  void addHeadHits(const Matrix& matrix, const std::vector<HeadId>& rows) {
    const int down = static_cast<int>(rows.size()), across = config_.heads;
    HitRegion hit;
    hit.box = matrix.box, hit.target.cell = matrix.values;
    hit.rows = down, hit.columns = across, hit.columnAxis = Axis::Head;
    if (down == config_.layers) hit.rowAxis = Axis::Layer;
    const auto headAt = [rows](int row, int column) {
      return HeadId{rows[static_cast<std::size_t>(row)].layer, column,
                    rows[static_cast<std::size_t>(row)].site};
    };
    hit.say = [headAt, said = said(), what = shown_](const Target& target) {
      const std::string name = nameOf(headAt(target.cell.index[0], target.cell.index[1]));
      if (what == benchWorth) return name + ": what its pattern is worth";
      return name + (what == benchRecovered ? " replaced by " : " and ") + said;
    };
    hit.click = [headAt](const Target& target) {
      return commands::selectHead(headAt(target.cell.index[0], target.cell.index[1]));
    };
    hit.arrows = [headAt, row = benchRow(config_, view_.selected), column = view_.selected.head, down,
                  across](int right, int below) {
      return commands::selectHead(
          headAt(std::clamp(row + below, 0, down - 1), std::clamp(column + right, 0, across - 1)));
    };
    hit.name = "heads by hypothesis";
    scene_.hits.push_back(std::move(hit));
  }

  // Of the selected head: the hypotheses that have a name, and its texts by agreement.
  void addSelected(Box area) {
    const Box title = area.takeTop(headNumbers + 4);
    addText(scene_, {title.x, title.y + 12}, nameOf(view_.selected), theme_.heading());
    addWorth(title);
    const Box heads = area.takeTop(20);
    const float shares = heads.right() - namedRecovered;
    addText(scene_, {shares, heads.y + 8}, "shares", theme_.note(), Align::End);
    if (whyNoRecoveredLoss(config_).empty())
      addText(scene_, {heads.right() - 6, heads.y + 8}, "recovers", theme_.note(), Align::End);
    const auto& named = namedHypotheses();
    const bool isNamed = std::ranges::find(named, hypothesis_, &NamedHypothesis::id) != named.end();
    if (!isNamed)
      addNamed(area.takeTop(namedRow), hypothesis_, "what was said", {bench::own, {0}}, {bench::own, {1}});
    for (int i = 0; i < static_cast<int>(named.size()) && area.height >= namedRow; ++i) {
      const NamedHypothesis& each = named[static_cast<std::size_t>(i)];
      addNamed(area.takeTop(namedRow), each.id, each.meaning, {bench::named, {i}},
               {bench::namedRecovered, {i}});
    }
    area.takeTop(12);
    if (area.height >= 72) addDistribution(area);
  }

  // "its pattern is worth 0.056 nats"
  void addWorth(const Box& title) {
    const TensorRef worth{bench::own, {2}};
    if (!std::isfinite(number(worth))) return;
    Text& text =
        addText(scene_, {title.right(), title.y + 12},
                "its pattern is worth " + formatted(number(worth)) + " nats", theme_.note(), Align::End);
    text.value = worth, text.maxWidth = title.width - 88;
  }

  void addNamed(const Box& row, const std::string& id, const std::string& meaning, const TensorRef& agreement,
                const TensorRef& recovered) {
    const bool isAsked = id == hypothesis_;
    const float name = std::min(96.0f, row.width * 0.34f), value = number(agreement),
                back = number(recovered);
    if (isAsked) scene_.add(Rect{row, theme_.raised, {0, 0, 0, 0}, 4, 1});
    addText(scene_, {row.x + 6, row.center().y}, id,
            {FontFace::Mono, Theme::small, isAsked ? theme_.accent : theme_.text})
        .maxWidth = name - 10;
    const Box track{row.x + name, row.center().y - 4, row.width - name - namedNumber - namedRecovered, 8};
    if (std::isfinite(value)) {
      scene_.add(Bar{track, agreement, {0, 1}, colorAt(ColorMap::Sequential, 0.7f, theme_.dark)});
      addText(scene_, {track.right() + namedNumber, row.center().y}, formattedFixed(value, 2), theme_.mono(),
              Align::End)
          .value = agreement;
    } else {
      addText(scene_, {track.x, row.center().y}, "says nothing", theme_.note()).maxWidth =
          track.width + namedNumber;
    }
    if (std::isfinite(back))
      addText(scene_, {row.right() - 6, row.center().y}, formattedFixed(back, 2), theme_.quietMono(),
              Align::End)
          .value = recovered;
    HitRegion hit;
    hit.box = row, hit.target.cell = agreement;
    hit.target.text =
        meaning +
        (std::isfinite(back) ? " In its place it brings back " + formatted(back) + " of the loss." : "") +
        (isAsked ? "" : " A click holds it against every head.");
    hit.name = "named " + id;
    hit.click = [id](const Target&) { return commands::sayHypothesis(id); };
    scene_.hits.push_back(std::move(hit));
  }

  void addDistribution(Box area) {
    const TensorRef bins{bench::distribution, {0}, -1, 0};
    const Box words = area.takeBottom(20);
    area.takeTop(8);
    const Range range{0, std::max(1.0f, rangeOf(scene_.sources, bins).high)};
    scene_.add(Line{{{area.x, area.bottom()}, {area.right(), area.bottom()}}, theme_.line, 1, false});
    for (int i = 0; i < agreementBins; ++i) addBin(area.cell(0, i, 1, agreementBins), i, range);
    addText(scene_, {words.x, words.center().y}, "0", theme_.quietMono());
    addText(scene_, words.center(), "texts by agreement", theme_.note(), Align::Middle).maxWidth =
        words.width - 40;
    addText(scene_, {words.right(), words.center().y}, "1", theme_.quietMono(), Align::End);
  }
  void addBin(const Box& column, int bin, Range range) {
    const TensorRef count{bench::distribution, {bin}};
    if (number(count) > 0)
      scene_.add(
          Bar{column.inset(1, 0), count, range, colorAt(ColorMap::Sequential, 0.7f, theme_.dark), true, 1});
    HitRegion hit;
    hit.box = column, hit.target.cell = count;
    const auto edge = [](int i) { return formattedFixed(static_cast<float>(i) / agreementBins, 2); };
    hit.target.text = "texts with an agreement from " + edge(bin) + " to " + edge(bin + 1);
    hit.name = "agreement bin " + std::to_string(bin), hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
  }

  // Where the head does something else.
  void addDiffering(Box area) {
    const ViewSettings& settings = input_.workspace.settings;
    const std::string_view corpus = settings.chosen(neuronCorpus);
    const Box heading = area.takeTop(32);
    const Box at =
        addChoices(scene_, input_, {heading.right(), heading.y},
                   {{"200", "texts of the model's own task, as many", textsSearched(settings) == fewTexts,
                     commands::choose(neuronCorpus, "")},
                    {"2000", "texts of the model's own task, as many", corpus == manyTextsChosen,
                     commands::choose(neuronCorpus, manyTextsChosen)},
                    {"Tabs", "every line of the texts that are open, such as a file that was dropped",
                     corpus == corpusOfTabs, commands::choose(neuronCorpus, corpusOfTabs)}});
    addText(scene_, {heading.x, heading.y + 14},
            "Where " + nameOf(view_.selected) + " does something else" + readWords(), theme_.strong())
        .maxWidth = at.x - heading.x - 16;
    const auto examples = scene_.sources.find(bench::example);
    if (!examples) {
      const bool isRead = isThere() && number({bench::read, {0}}) == number({bench::read, {1}});
      if (isThere())
        addText(scene_, {area.x, area.y + 12},
                isRead ? "No text says anything about it." : waitingWords(input_), theme_.note())
            .maxWidth = area.width;
      return;
    }
    for (int i = 0; i < examples->extent[0] && area.height >= differsLine; ++i)
      addExample(area.takeTop(differsLine), i);
  }
  // ", in 200 texts", ", 30 of 200 texts read".
  std::string readWords() const {
    if (!isThere()) return "";
    const float read = number({bench::read, {0}}), all = number({bench::read, {1}});
    const bool isLines = input_.workspace.settings.chosen(neuronCorpus) == corpusOfTabs;
    const std::string what = std::string(isLines ? " line" : " text") + (all == 1 ? "" : "s");
    return (read < all ? ", " + formattedFixed(read, 0) + " of " : ", in ") + formattedFixed(all, 0) + what +
           (read < all ? " read" : "");
  }

  const char* keyTokens() const {
    return keysOf(view_.site) == Stream::Source ? bench::source : bench::tokens;
  }
  const char* queryTokens() const {
    return queriesOf(view_.site) == Stream::Source ? bench::source : bench::tokens;
  }

  // The agreement, which token looks, and the keys in the colours of how much it does: outlined those where
  // the hypothesis has it look.
  void addExample(const Box& line, int example) {
    const TensorRef agreement{bench::example, {example}};
    addText(scene_, {line.x + differsNumber - 12, line.center().y}, formattedFixed(number(agreement), 2),
            theme_.mono(), Align::End)
        .value = agreement;
    const int query = static_cast<int>(number({bench::query, {example}}));
    const std::vector<int> keys = tokensInRow(scene_.sources, keyTokens(), example),
                           queries = tokensInRow(scene_.sources, queryTokens(), example);
    const std::string asking = "“" + input_.entryLabel(queries[static_cast<std::size_t>(query)]) + "”";
    const float words = std::min(240.0f, line.width * 0.3f);
    addText(scene_, {line.x + differsNumber, line.center().y},
            asking + " looks at “" + input_.entryLabel(likeliest(bench::attention, example, keys)) + "”",
            theme_.note())
        .maxWidth = words - 8;
    Box room{line.x + differsNumber + words, line.y + 2, line.width - differsNumber - words, line.height - 4};
    for (int key = firstKeyShown(keys, query, room.width); key < static_cast<int>(keys.size()); ++key)
      if (!addKey(room, example, key, keys[static_cast<std::size_t>(key)])) break;
    HitRegion hit;
    hit.box = line, hit.target.cell = agreement;
    hit.target.text = differenceWords(example, keys, asking) + "; a click opens the text there";
    hit.name = "differs " + std::to_string(example);
    hit.click = [open = opening(example, query)](const Target&) { return open; };
    scene_.hits.push_back(std::move(hit));
  }

  float widthOfKey(int entry) const {
    return input_.metrics.width(input_.entryLabel(entry), FontFace::Mono, Theme::small) + 8;
  }
  // So that inside a text the query is the last in sight, and across all of the source that there is room
  // for.
  int firstKeyShown(const std::vector<int>& keys, int query, float width) const {
    if (view_.isAcross()) return 0;
    int first = std::min(query, static_cast<int>(keys.size()) - 1);
    for (width -= widthOfKey(keys[static_cast<std::size_t>(first)]); first > 0; --first)
      if ((width -= widthOfKey(keys[static_cast<std::size_t>(first - 1)])) < 0) break;
    return first;
  }
  // False where there is no room for it.
  bool addKey(Box& room, int example, int key, int entry) {
    const float width = widthOfKey(entry);
    if (width > room.width) return false;
    const Box box = room.takeLeft(width);
    const TensorRef cell{bench::attention, {example, key}};
    const Matrix matrix{box, cell, ColorMap::Sequential, {0, 1}};
    scene_.add(matrix);
    const Rgba ink = inkOn(cellColor(matrix, number(cell), theme_.dark));
    addText(scene_, box.center(), input_.entryLabel(entry), {FontFace::Mono, Theme::small, ink},
            Align::Middle);
    if (number({bench::said, {example, key}}) > 0) addOutline(scene_, box.inset(1), theme_.accent, 1.5f);
    return true;
  }
  int likeliest(const char* rows, int example, const std::vector<int>& keys) const {
    int most = 0;
    for (int key = 1; key < static_cast<int>(keys.size()); ++key)
      if (number({rows, {example, key}}) > number({rows, {example, most}})) most = key;
    return keys[static_cast<std::size_t>(most)];
  }
  std::string differenceWords(int example, const std::vector<int>& keys, const std::string& asking) const {
    return asking + " looks most at “" + input_.entryLabel(likeliest(bench::attention, example, keys)) +
           "”, where the hypothesis says “" + input_.entryLabel(likeliest(bench::said, example, keys)) + "”";
  }

  // As a text of its own in the matrix, at the row where both differ most.
  Command opening(int example, int query) const {
    Command open =
        commands::openExample(writingOfRow(input_, scene_.sources, bench::tokens, bench::source, example),
                              query, queriesOf(view_.site) == Stream::Source);
    open.apply = [apply = std::move(open.apply)](Workspace& w) {
      apply(w);
      w.settings.pictures["attention"] = "matrix";
    };
    return open;
  }

  AttentionView& view_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  std::string hypothesis_, shown_;
};

}  // namespace

void drawHypothesisLayout(AttentionView& view, Box area) { HypothesisPicture(view).draw(area); }

}  // namespace glassformer
