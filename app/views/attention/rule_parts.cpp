#include "app/views/attention/rule_parts.h"

#include <algorithm>
#include <cmath>

#include "app/document/neuron_settings.h"
#include "app/document/rule_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/drawing/text_examples.h"
#include "app/drawing/wording.h"
#include "app/engine/head_detector.h"
#include "app/engine/rule_numbers.h"
#include "app/scene/format.h"
#include "core/lens/recovered_loss.h"

namespace glassformer {

namespace {

constexpr float namedNumber = 44, namedRecovered = 72, examplesTitle = 32, differsLine = 26,
                differsNumber = 56, leastSaid = 0.2f;

float numberIn(const AttentionPicture& picture, const TensorRef& ref) {
  return valueOf(picture.scene.sources, ref).value_or(NAN);
}

// The texts on which the head does something else.
class HeadExamples {
 public:
  explicit HeadExamples(AttentionPicture& picture)
      : picture_(picture), scene_(picture.scene), input_(picture.input), theme_(picture.theme) {}

  void draw(Box area, const std::string& title) {
    const Box heading = area.takeTop(examplesTitle);
    const Box at = addChoices(scene_, input_, {heading.right(), heading.y}, corpusChoices(input_));
    addText(scene_, {heading.x, heading.y + 14}, title + readWords(), theme_.strong()).maxWidth =
        at.x - heading.x - 16;
    const auto examples = scene_.sources.find(bench::example);
    if (!examples) {
      const bool isRead = isThere() && number({bench::read, {0}}) == number({bench::read, {1}});
      if (isThere())
        addText(scene_, {area.x, area.y + 12},
                isRead ? "No text has keys that the rule names." : waitingWords(input_), theme_.note())
            .maxWidth = area.width;
      return;
    }
    for (int i = 0; i < examples->extent[0] && area.height >= differsLine; ++i)
      addExample(area.takeTop(differsLine), i);
  }

 private:
  bool isThere() const { return scene_.sources.contains(bench::agreement); }
  float number(const TensorRef& ref) const { return numberIn(picture_, ref); }
  // ", in 200 texts", ", 30 of 200 texts read".
  std::string readWords() const {
    if (!isThere()) return "";
    const float read = number({bench::read, {0}}), all = number({bench::read, {1}});
    return (read < all ? ", " + formattedFixed(read, 0) + " of " : ", in ") + corpusWords(input_, all) +
           (read < all ? " read" : "");
  }

  const char* keyTokens() const {
    return keysOf(picture_.site) == Stream::Source ? bench::source : bench::tokens;
  }
  const char* queryTokens() const {
    return queriesOf(picture_.site) == Stream::Source ? bench::source : bench::tokens;
  }

  // The agreement, which token looks, and the keys in the colours of how much it does: outlined those to
  // which the rule gives a good share.
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
            asking + " attends to " + likeliestWord(bench::attention, example, keys), theme_.note())
        .maxWidth = words - 8;
    Box room{line.x + differsNumber + words, line.y + 2, line.width - differsNumber - words, line.height - 4};
    for (int key = firstKeyShown(example, keys, query, room.width); key < static_cast<int>(keys.size());
         ++key)
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
  // So that inside a text the query is the last in sight, or what it looks at most is in sight, where that
  // lies further back; across all of the source that there is room for.
  int firstKeyShown(int example, const std::vector<int>& keys, int query, float width) const {
    if (picture_.isAcross()) return 0;
    int first = std::min(query, static_cast<int>(keys.size()) - 1);
    for (width -= widthOfKey(keys[static_cast<std::size_t>(first)]); first > 0; --first)
      if ((width -= widthOfKey(keys[static_cast<std::size_t>(first - 1)])) < 0) break;
    return std::min(first, std::max(0, likeliest(bench::attention, example, keys) - 2));
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
    if (number({bench::said, {example, key}}) >= leastSaid)
      addOutline(scene_, box.inset(1), theme_.accent, 1.5f);
    return true;
  }
  int likeliest(const char* rows, int example, const std::vector<int>& keys) const {
    int most = 0;
    for (int key = 1; key < static_cast<int>(keys.size()); ++key)
      if (number({rows, {example, key}}) > number({rows, {example, most}})) most = key;
    return most;
  }
  std::string likeliestWord(const char* rows, int example, const std::vector<int>& keys) const {
    return "“" + input_.entryLabel(keys[static_cast<std::size_t>(likeliest(rows, example, keys))]) + "”";
  }
  std::string differenceWords(int example, const std::vector<int>& keys, const std::string& asking) const {
    const bool saysOne = number({bench::said, {example, likeliest(bench::said, example, keys)}}) >= leastSaid;
    return asking + " attends most to " + likeliestWord(bench::attention, example, keys) +
           ", where the rule has " +
           (saysOne ? likeliestWord(bench::said, example, keys) : "Same for many texts");
  }

  // As a text of its own in the matrix, at the row where both differ most.
  Command opening(int example, int query) const {
    Command open =
        commands::openExample(writingOfRow(input_, scene_.sources, bench::tokens, bench::source, example),
                              query, queriesOf(picture_.site) == Stream::Source);
    open.apply = [apply = std::move(open.apply)](Workspace& w) {
      apply(w);
      w.settings.pictures["attention"] = "matrix";
    };
    return open;
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
};

}  // namespace

void addNamedRow(AttentionPicture& picture, const Box& row, const NamedRow& named) {
  const Theme& theme = picture.theme;
  const float name = std::min(112.0f, row.width * 0.36f), value = numberIn(picture, named.agreement),
              back = numberIn(picture, named.recovered);
  if (named.isChosen) picture.scene.add(Rect{row, theme.raised, {0, 0, 0, 0}, 4, 1});
  const std::string words = nameOfRule(named.id);
  const TextStyle style{FontFace::Ui, Theme::small, named.isChosen ? theme.accent : theme.text};
  addText(picture.scene, {row.x + 6, row.center().y},
          wordingFor(name - 10, picture.input, style, {words, words.substr(0, words.find(' '))}), style)
      .maxWidth = name - 10;
  const Box track{row.x + name, row.center().y - 4, row.width - name - namedNumber - namedRecovered, 8};
  if (std::isfinite(value)) {
    picture.scene.add(Bar{track, named.agreement, {0, 1}, colorAt(ColorMap::Sequential, 0.7f, theme.dark)});
    addText(picture.scene, {track.right() + namedNumber, row.center().y}, formattedFixed(value, 2),
            theme.mono(), Align::End)
        .value = named.agreement;
  } else {
    addText(picture.scene, {track.x, row.center().y}, "names no key", theme.note()).maxWidth =
        track.width + namedNumber;
  }
  if (std::isfinite(back))
    addText(picture.scene, {row.right() - 6, row.center().y}, formattedFixed(back, 2), theme.quietMono(),
            Align::End)
        .value = named.recovered;
  HitRegion hit;
  hit.box = row, hit.target.cell = named.agreement;
  hit.target.text = named.meaning +
                    (std::isfinite(back) ? " It recovers " + formatted(back) + " of the loss." : "") +
                    named.clickWords;
  hit.name = "named " + named.id;
  hit.click = [click = named.click](const Target&) { return click; };
  picture.scene.hits.push_back(std::move(hit));
}

void addNamedHeads(AttentionPicture& picture, const Box& line) {
  addText(picture.scene, {line.right() - namedRecovered, line.y + 8}, "overlap", picture.theme.note(),
          Align::End);
  if (whyNoRecoveredLoss(picture.config).empty())
    addText(picture.scene, {line.right() - 6, line.y + 8}, "recovers", picture.theme.note(), Align::End);
}

void addWorth(AttentionPicture& picture, const Box& line) {
  const TensorRef worth{bench::own, {2}};
  if (!std::isfinite(numberIn(picture, worth))) return;
  const float nats = numberIn(picture, worth);
  const std::string words =
      "uniform loss − loss: " + formatted(nats) + " nats" +
      (static_cast<double>(nats) < RecoveredLoss::leastWorth ? ": nothing to recover" : "");
  Text& text = addText(picture.scene, {line.right(), line.y + 12}, words, picture.theme.note(), Align::End);
  text.value = worth, text.maxWidth = line.width - 96;
  const float width = std::min(text.maxWidth, picture.input.metrics.width(words, FontFace::Ui, Theme::small));
  HitRegion hit;
  hit.box = {line.right() - width, line.y, width, 24}, hit.target.cell = worth;
  hit.target.text = "Loss over these texts with uniform attention minus the loss; a click shows every head";
  hit.name = "worth of the pattern";
  hit.click = [](const Target&) {
    return Command{[](Workspace& w) {
                     w.settings.pictures["attention"] = "hypothesis";
                     w.settings.choose(benchNumber, benchWorth);
                   },
                   "", ""};
  };
  picture.scene.hits.push_back(std::move(hit));
}

float examplesHeight(float height, float share) {
  return examplesOfLines(std::clamp(static_cast<int>((height * share - examplesTitle) / differsLine), 3,
                                    static_cast<int>(HeadDetector::examplesKept)));
}
float examplesOfLines(int lines) { return examplesTitle + differsLine * static_cast<float>(lines); }

void addHeadExamples(AttentionPicture& picture, Box area, const std::string& title) {
  HeadExamples(picture).draw(area, title);
}

void addRuleWaiting(AttentionPicture& picture, const Box& area) {
  const std::string& missing = picture.input.snapshot.kept.missing;
  float y = area.y + 12;
  for (const std::string& line :
       wrapped(picture.input.metrics, missing.empty() ? waitingWords(picture.input) : missing, FontFace::Ui,
               Theme::small, area.width)) {
    addText(picture.scene, {area.x, y}, line, picture.theme.note()).maxWidth = area.width;
    y += 20;
  }
}

}  // namespace glassformer
