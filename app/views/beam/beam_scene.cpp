#include "app/views/beam/beam_scene.h"

#include <algorithm>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/prepared_texts.h"
#include "app/document/text_edit.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/engine/best_continuation.h"
#include "app/scene/format.h"
#include "app/views/beam/beam_difference_scene.h"
#include "app/views/beam/beam_node_numbers.h"
#include "app/views/beam/beam_nodes.h"
#include "app/views/beam/beam_parts.h"

namespace glassformer {

namespace {

constexpr float beamFootHeight = 88, hypothesisLine = 21, beamLeastWidth = 464, formulaLine = 20;

// Scores that differ by less are one: floats of the same sum.
constexpr float leastMissed = 1e-4f;

Command setScores(BeamScores scores) {
  return commands::changeSettings([=](ViewSettings& s) { s.beam.scores = scores; });
}

class BeamBuilder {
 public:
  explicit BeamBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        settings_(input.workspace.settings.beam),
        snapshot_(input.snapshot),
        tree_(*input.snapshot.decoded->beam) {
    scene_.sources = input.sources();
    scene_.size = {std::max(input.size.x, beamLeastWidth), std::max(input.size.y, 320.0f)};
  }

  Scene build() {
    Box rest = contentOf(input_, scene_.size);
    const Box heading = rest.takeTop(headingHeight()), foot = rest.takeBottom(footHeight());
    rest.takeBottom(20);
    const BeamLayout layout =
        shownBeam(input_, tree_, {tree_.best, std::max(0, lookedAtNode(snapshot_))}, rest);
    const BeamViewport viewport = seenOf(input_, rest, layout, tree_);
    addHeading(heading, viewport, layout);
    addDepths(scene_, input_, viewport, columnsOf(layout, tree_));
    addTreeMoving(scene_, viewport);
    scene_.add(PushClip{seenWithMarks(rest)});
    addBeamNodes(scene_, input_, layout, viewport);
    scene_.add(PopClip{});
    addFoot(foot);
    return std::move(scene_);
  }

 private:
  bool finished() const { return snapshot_.isDecoded(); }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  static TensorRef ref(const char* what, int node) { return {what, {node}}; }
  Rgba faded(Rgba color) const { return finished() ? color : mix(theme_.ground, color, 0.45f); }

  float headingHeight() const { return input_.isHeadedApart() ? 72.0f : 92.0f; }

  void addHeading(Box box, const BeamViewport& viewport, const BeamLayout& layout) {
    scene_.title = "Beam search";
    const Decoding& decoding = input_.workspace.decoding;
    scene_.about = "width " + std::to_string(decoding.beamWidth) + ", " + std::to_string(decoding.depth) +
                   " tokens ahead";
    const float title = input_.metrics.width(scene_.title, FontFace::Strong, Theme::title);
    const std::vector<Choice> pictures(input_.pictures.begin(), input_.pictures.end());
    const float left = box.x + title + 24,
                right = box.right() - (input_.isStill() ? 0 : widthOf(input_, pictures) + 12);
    addLegend(input_.isHeadedApart() ? Box{box.x, box.y, box.width, Theme::control}
                                     : Box{left, box.y, right - left, Theme::control});
    addViewTitle(scene_, input_, box, scene_.title);
    box.takeTop(4);
    const Box row = addControls(box.takeTop(Theme::control), viewport);
    addFormula(input_.isHeadedApart() ? Box{box.x, box.y, box.width, formulaLine} : row, layout);
  }

  // Returns what is left of the row.
  Box addControls(Box row, const BeamViewport& viewport) {
    if (input_.isStill()) return row;
    const Box tree = addTreeControls(scene_, input_, row, viewport);
    const bool text = settings_.scores == BeamScores::Text;
    const Box scores = addChoices(scene_, input_, {tree.x - 8, row.y},
                                  {{"Numbers", "Probabilities as numbers", text, setScores(BeamScores::Text)},
                                   {"Bars", "Probabilities as bars", !text, setScores(BeamScores::Length)}});
    row.width = addChoices(scene_, input_, {scores.x - 8, row.y}, {stopEarly()}).x - 8 - row.x;
    return row;
  }

  // What ranks the hypotheses, and how many branches there are, as far as there is room.
  void addFormula(const Box& row, const BeamLayout& layout) {
    const Decoding& decoding = input_.workspace.decoding;
    const std::string shown =
        std::to_string(layout.places.size() - 1) + " of " + std::to_string(tree_.nodes.size() - 1);
    const std::string formula = formulaOfScore(tree_, decoding),
                      brief = formulaOfScore(tree_, decoding, true);
    addText(scene_, {row.x, row.center().y},
            wordingFor(row.width, input_, theme_.note(),
                       {formula + " · " + shown + " branches", formula, brief + " · " + shown, brief}),
            theme_.note())
        .maxWidth = row.width;
  }

  Choice stopEarly() const {
    Decoding other = input_.workspace.decoding;
    other.stopsEarly = !other.stopsEarly;
    return {"Early stopping", "Search ends as soon as the best hypothesis has ended",
            input_.workspace.decoding.stopsEarly,
            commands::setDecoding(other, other.stopsEarly ? "early stopping" : "no early stopping")};
  }

  // As much of it as there is room for.
  void addLegend(const Box& box) {
    const TextStyle style = theme_.note();
    const float y = box.center().y;
    float x = box.x;
    const auto entry = [&](float mark, const char* text, auto draw) {
      const float width = mark + input_.metrics.width(text, style.face, style.size);
      if (x + width > box.right()) return;
      draw(x);
      addText(scene_, {x + mark, y}, text, style);
      x += width + 16;
    };
    entry(24, "best", [&](float at) { scene_.add(Line{{{at, y}, {at + 18, y}}, theme_.accent, 4}); });
    entry(16, "greedy's path", [&](float at) { addGreedyMark(scene_, theme_, {at + 5, y}); });
    if (finished() && lookedAtNode(snapshot_) > 0)
      entry(24, "open text", [&](float at) {
        scene_.add(Rect{{at, y - 6, 16, 12}, theme_.panel, theme_.text, 3, 2});
      });
    if (tree_.groups > 1)
      entry(6.0f * static_cast<float>(tree_.groups) + 4, "groups", [&](float at) {
        for (int group = 0; group < tree_.groups; ++group)
          addGroupMark(scene_, theme_, group, {at + 6.0f * static_cast<float>(group), y - 8, 3, 16});
      });
    if (!tree_.deadEnds.empty())
      entry(14, "dead end", [&](float at) { addDeadEndMark(scene_, theme_, {at, y - 7, 6, 14}); });
    entry(24, "pruned, with the missing score", [&](float at) {
      scene_.add(Line{{{at, y}, {at + 18, y}}, prunedInk(theme_), 1.5f});
    });
  }

  // The best hypothesis in full: the end of the text, then what it adds.
  void addFoot(const Box& box) {
    scene_.add(Line{{{box.x, box.y - 8}, {box.right(), box.y - 8}}, theme_.line});
    const std::string score = formatted(value(ref("beam.score", tree_.best)));
    const std::string best = "Best hypothesis" + endWords();
    addText(scene_, {box.x, box.y + 8},
            wordingFor(box.width - 140, input_, theme_.note(), {best + againstAll(), best}), theme_.note())
        .maxWidth = box.width - 140;
    addBestOfAll({box.x, box.y, box.width - 140, 18});
    const TextStyle number = theme_.mono();
    addText(scene_, {box.right(), box.y + 8}, score, number, Align::End).value =
        ref("beam.score", tree_.best);
    const float width = input_.metrics.width(score, number.face, number.size);
    addText(scene_, {box.right() - width - 8, box.y + 8}, "score", theme_.note(), Align::End);
    addHitRegion(scene_, {box.right() - width - 50, box.y, width + 50, 18}, ref("beam.score", tree_.best),
                 "best score");
    addHypothesis({box.x, box.y + 32, box.width, box.height - 32});
    addGreedysEnd({box.x, box.bottom() - 6, box.width, Theme::control});
  }

  // What greedy decoding ends in, with its total beside that of the best; and the way to where it loses.
  void addGreedysEnd(Box row) {
    row.y -= row.height / 2;
    const PreparedText& losing = whereGreedyLoses();
    const Workspace& w = input_.workspace;
    if (!input_.isStill() && (w.model != losing.model || w.source != losing.source))
      row.width = addChoices(scene_, input_, {row.right(), row.y},
                             {{std::string(losing.label), std::string(losing.meaning), false,
                               commands::openPrepared(losing)}})
                      .x -
                  16 - row.x;
    if (!scene_.sources.contains(bestContinuation::total)) return;
    addTotal(row, "beam", {bestContinuation::total, {1}});
    row.width -= 16;
    addTotal(row, "greedy", {bestContinuation::total, {0}});
    row.width -= 16;
    addGreedyMark(scene_, theme_, {row.x + 5, row.center().y});
    row.takeLeft(16);
    addText(scene_, {row.x, row.center().y}, greedysWords(), theme_.note()).maxWidth = row.width;
  }

  std::string greedysWords() const {
    const float greedy = value({bestContinuation::total, {0}}), best = value({bestContinuation::total, {1}});
    const std::vector<int> tokens = tokensOf(bestContinuation::greedy);
    if (tokens == tree_.path(tree_.best)) return "Greedy decoding finds it, too";
    return (greedy < best - leastMissed   ? "Greedy loses: “"
            : greedy > best + leastMissed ? "Greedy wins: “"
                                          : "Greedy decoding: “") +
           displayable(snapshot_.model->bytesOf(tokens)) + "”";
  }

  // "greedy −2.114" at the right end of the row, taken off it.
  void addTotal(Box& row, const char* words, const TensorRef& total) {
    const TextStyle number = theme_.mono();
    const std::string digits = formattedFixed(value(total), 3);
    const Box box = row.takeRight(input_.metrics.width(digits, number.face, number.size));
    addText(scene_, {box.right(), box.center().y}, digits, number, Align::End).value = total;
    row.takeRight(8);
    const Box name = row.takeRight(input_.metrics.width(words, FontFace::Ui, Theme::small));
    addText(scene_, {name.right(), name.center().y}, words, theme_.note(), Align::End);
    HitRegion& hit = addHitRegion(scene_, {name.x, row.center().y - 9, box.right() - name.x, 18}, total,
                                  std::string("total of ") + words);
    hit.target.text = std::string("ln P of the whole, ") + words;
  }

  std::vector<int> tokensOf(const char* tensor) const {
    std::vector<int> tokens;
    const TensorView found = *scene_.sources.find(tensor);
    for (int i = 0; i < found.extent[0] && std::isfinite(found(i)); ++i)
      tokens.push_back(static_cast<int>(found(i)));
    return tokens;
  }

  // Whether anything scores higher than the beam's best: what search missed, the model is not to blame for.
  std::string againstAll() const {
    if (!scene_.sources.contains(bestContinuation::score)) return "";
    const float best = value({bestContinuation::score, {0}});
    if (best - value({bestContinuation::score, {1}}) > leastMissed)
      return "; the beam missed a better one: " + formattedFixed(best, 3);
    return value({bestContinuation::calls, {1}}) > 0 ? "; no continuation scores higher" : "";
  }

  void addBestOfAll(const Box& box) {
    if (!scene_.sources.contains(bestContinuation::score)) return;
    const std::vector<int> tokens = tokensOf(bestContinuation::token);
    const bool proved = value({bestContinuation::calls, {1}}) > 0;
    HitRegion& hit = addHitRegion(scene_, box, {bestContinuation::score, {0}}, "best of all");
    hit.tabStop = false;
    hit.target.text = "the highest score found: “" + displayable(snapshot_.model->bytesOf(tokens)) + "”\n" +
                      (proved ? "proved with " : "not proved with ") +
                      std::to_string(static_cast<int>(value({bestContinuation::calls, {0}}))) +
                      " more passes of the model";
  }

  // What stopping early does, or would do.
  std::string endWords() const {
    if (const DeadEnd* end = tree_.deadEndAt(tree_.best))
      return ": a dead end, no token " + std::to_string(end->step) + "; " + describe(*end);
    return stopWords() + (tree_.deadEnds.empty() ? ""
                          : tree_.deadEnds.size() == 1
                              ? "; one other was a dead end"
                              : "; " + std::to_string(tree_.deadEnds.size()) + " others were dead ends");
  }
  std::string stopWords() const {
    if (tree_.firstEnded < 0) return "";
    const std::string at = std::to_string(tree_.endedAt);
    const BeamNode& ended = tree_.nodes[static_cast<std::size_t>(tree_.firstEnded)];
    if (input_.workspace.decoding.stopsEarly) return ", stopped at +" + at + ": it has ended";
    if (tree_.firstEnded == tree_.best) return ": ended, and the best from +" + at + " on";
    return "; stopping early, at +" + at + ", would have given one that scores " +
           formattedFixed(static_cast<float>(ended.score), 3);
  }

  // With a second line for what the best hypothesis adds, where it needs one.
  float footHeight() const {
    const float width = scene_.size.x - 2 * marginOf(input_, scene_.size.x);
    const std::string added = displayable(snapshot_.model->bytesOf(tree_.path(tree_.best)));
    const bool isLong = input_.metrics.width(added, FontFace::Ui, Theme::body) + 4 > 0.7f * width;
    return beamFootHeight - 20 + (isLong ? hypothesisLine : 0);
  }

  // The end of the text, quietly, and what the hypothesis adds, in up to two lines.
  void addHypothesis(const Box& box) {
    const TextStyle quiet{FontFace::Ui, Theme::body, faded(theme_.quiet)},
        strong{FontFace::Ui, Theme::body, faded(theme_.text)};
    const auto widthOf = [&](const std::string& text) {
      return input_.metrics.width(text, strong.face, strong.size);
    };
    const std::string added = displayable(snapshot_.model->bytesOf(tree_.path(tree_.best)));
    const std::string before = ending(displayable(snapshot_.decoded->root),
                                      std::max(box.width - widthOf(added) - 4, box.width * 0.3f));
    addText(scene_, {box.x, box.y}, before, quiet);
    const float used = widthOf(before);
    const auto first = wrapped(input_.metrics, added, strong.face, strong.size, box.width - used);
    if (first.empty()) return;
    addText(scene_, {box.x + used, box.y}, first.front(), strong);
    std::string rest = added.substr(first.front().size());
    rest.erase(0, rest.find_first_not_of(' '));
    for (const std::string& line : wrapped(input_.metrics, rest, strong.face, strong.size, box.width, 1))
      addText(scene_, {box.x, box.y + hypothesisLine}, line, strong);
  }

  // As much of the end of a text as fits, from the start of a word.
  std::string ending(const std::string& text, float width) const {
    const auto fits = [&](const std::string& part) {
      return input_.metrics.width(part, FontFace::Ui, Theme::body) <= width;
    };
    if (fits(text)) return text;
    std::string best = "…";
    for (std::size_t at = text.rfind(' '); at != std::string::npos && at > 0; at = text.rfind(' ', at - 1)) {
      const std::string part = "…" + text.substr(at);
      if (!fits(part)) break;
      best = part;
    }
    return best;
  }
  static std::string displayable(const std::string& bytes) {
    std::string text = glassformer::displayable(bytes);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const BeamTreeSettings& settings_;
  const Snapshot& snapshot_;
  const BeamTree& tree_;
  Scene scene_;
};

}  // namespace

std::string describeNode(const Snapshot& snapshot, int node) {
  const BeamNode& described = snapshot.decoded->beam->nodes[static_cast<std::size_t>(node)];
  const TensorSources sources = sourcesOf(snapshot);
  const auto value = [&](const char* tensor) {
    return formatted(valueOf(sources, {tensor, {node}}).value_or(0));
  };
  std::string text = "“" + beamLabel(snapshot, described.token) + "”, rank " +
                     std::to_string(described.rank) + " of its step";
  if (snapshot.decoded->beam->groups > 1) text += ", group " + std::to_string(described.group + 1);
  if (described.greedy) text += ", greedy's choice";
  text += "\nlog P " + value("beam.cumulative");
  if (described.score != described.cumulative) text += ", score " + value("beam.score");
  if (described.repeats > 0)
    text += "\nin earlier groups " + std::to_string(described.repeats) +
            (described.repeats == 1 ? " hypothesis takes" : " hypotheses take") +
            " this token here: ranked by " + formattedFixed(static_cast<float>(described.ranked), 3);
  if (const std::string reason = reasonOf(snapshot, node); !reason.empty()) text += "\n" + reason;
  return text;
}

std::string reasonOf(const Snapshot& snapshot, int node) {
  const BeamTree& tree = *snapshot.decoded->beam;
  const BeamNode& loser = tree.nodes[static_cast<std::size_t>(node)];
  if (const DeadEnd* end = tree.deadEndAt(node))
    return "dead end: no token " + std::to_string(end->step) + "; " + describe(*end);
  if (loser.state != BeamState::Pruned || loser.beatenBy < 0) return "";
  const BeamNode& winner = tree.nodes[static_cast<std::size_t>(loser.beatenBy)];
  return "beaten by “" + snapshot.model->entryLabel(winner.token) + "” with " +
         formattedFixed(static_cast<float>(winner.ranked), 2) + " against " +
         formattedFixed(static_cast<float>(loser.ranked), 2);
}

Scene beamScene(const SceneInput& input) {
  if (input.snapshot.model->config && !input.snapshot.model->continues())
    return emptyScene(input, "No beam search",
                      "A masked language model does not continue texts, so it has no hypotheses.");
  if (input.snapshot.isDifference()) return beamDifferenceScene(input);
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.decoded->beam)
    return emptyScene(input,
                      input.snapshot.pass->hasTrace() && input.snapshot.standing.cancelled.empty()
                          ? "Running beam search"
                          : "No beam search yet",
                      !input.snapshot.standing.error.empty()       ? input.snapshot.standing.error
                      : !input.snapshot.standing.cancelled.empty() ? "It was cancelled."
                      : input.snapshot.pass->hasTrace()            ? ""
                                                                   : "Type in the Text box.");
  return BeamBuilder(input).build();
}

}  // namespace glassformer
