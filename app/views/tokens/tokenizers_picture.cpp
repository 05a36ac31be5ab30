#include "app/views/tokens/tokenizers_picture.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "app/document/attention_planes.h"
#include "app/document/cuts_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/joint_vocabulary.h"
#include "app/scene/format.h"
#include "app/views/tokens/merge_slider.h"
#include "app/views/tokens/token_words.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float cutLine = 26, cutGap = 14, cutNames = 168, cutNumbers = 132, cutMost = 300;
constexpr std::size_t mostCutBytes = 4096;  // of a text whose merges are learned here
constexpr const char* unknownCut = "UNK";

// One way to cut the text.
struct Cut {
  std::string id, name, vocabulary;  // in words: "256"
  std::vector<std::string> tokens;   // as they are shown
  bool isModels = false;
  std::string allNames = {};  // of a row whose name is shortened
  std::vector<int> ids = {};  // of the open model's tokens
};

Cut bytesOf(std::string_view text) {
  Cut cut{"bytes", "Bytes", "256 tokens", {}};
  for (const char byte : text) cut.tokens.push_back(labelOf(std::string(1, byte)));
  return cut;
}

Cut charactersOf(std::string_view text) {
  Cut cut{"characters", "Characters", "all of Unicode", {}};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = nextCharacter(text, at);
    cut.tokens.push_back(labelOf(text.substr(at, end - at)));
    at = end;
  }
  return cut;
}

Cut wordsOf(std::string_view text) {
  Cut cut{"words", "Words and marks", "never enough tokens", {}};
  for (const std::string_view piece : splitIntoPieces(text)) cut.tokens.push_back(labelOf(piece));
  return cut;
}

Cut modelsOf(const Snapshot& snapshot, Stream stream) {
  const int entries = snapshot.model->tokenizer->vocabularySize();
  Cut cut{"model", "This model", formattedCount(entries) + " tokens", {}, true};
  for (const TokenPiece& token : snapshot.pass->tokensOf(stream))
    if (token.isWritten()) cut.tokens.push_back(token.label), cut.ids.push_back(token.id);
  return cut;
}

// With the first merges alone.
Cut mergedBy(const Snapshot& snapshot, int merges, int all) {
  const int units = snapshot.model->tokenizer->vocabularySize() - all;
  Cut cut{"merges " + std::to_string(merges),
          formattedCount(merges) + " merges",
          formattedCount(units + merges) + " tokens",
          {}};
  for (const WordMerges& word : *snapshot.pass->words) {
    const std::vector<int>& joined = joinedBy(word, merges);
    for (const int id : joined) cut.tokens.push_back(snapshot.model->tokenizer->tokenLabel(id));
    if (joined.empty()) cut.tokens.push_back(labelOf(word.joined));
  }
  return cut;
}

// "one, another"
std::string namesOf(const std::vector<std::string>& models) {
  std::string names;
  for (const std::string& model : models) names += (names.empty() ? "" : ", ") + model;
  return names;
}

// "one, another", "one, 7 more"
std::string shortNamesOf(const std::vector<std::string>& models) {
  if (models.size() <= 2) return namesOf(models);
  return models.front() + ", " + std::to_string(models.size() - 1) + " more";
}

// "1,024 tokens, byte pairs"
std::string vocabularyOf(const Tokenizer& tokenizer) {
  std::string kind = tokenizer.kind().name;
  kind.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(kind.front())));
  return formattedCount(tokenizer.vocabularySize()) + " tokens, " + kind;
}

// By each tokenizer of the library, the open model's first.
std::vector<Cut> cutsOfLibrary(const Snapshot& snapshot, Stream stream) {
  const std::string& text = snapshot.pass->textOf(stream);
  std::vector<Cut> cuts;
  for (const auto& [models, tokenizer] : snapshot.kept.tokenizers) {
    Cut cut{"library " + std::to_string(cuts.size()),
            shortNamesOf(models),
            vocabularyOf(*tokenizer),
            {},
            cuts.empty()};
    cut.allNames = namesOf(models);
    for (const int id : tokenizer->encodeIds(text)) cut.tokens.push_back(tokenizer->tokenLabel(id));
    cuts.push_back(std::move(cut));
  }
  if (cuts.empty()) cuts.push_back(modelsOf(snapshot, stream));  // nothing is read yet
  return cuts;
}

// From the finest to the coarsest.
std::vector<Cut> cutsOfModel(const Snapshot& snapshot, Stream stream, const ChosenMerges& merges) {
  const std::string& text = snapshot.pass->textOf(stream);
  std::vector<Cut> cuts{bytesOf(text), charactersOf(text)};
  if (merges.all > 0 && snapshot.pass->words && snapshot.pass->wordsOf == stream) {
    const int all = merges.all;
    for (const int share : {16, 4})
      if (!merges.areFewer() && all >= share) cuts.push_back(mergedBy(snapshot, all / share, all));
    if (merges.areFewer()) cuts.push_back(mergedBy(snapshot, merges.chosen, all));
  }
  cuts.push_back(modelsOf(snapshot, stream));
  cuts.push_back(wordsOf(text));
  return cuts;
}

// The beginning of a text, whole characters.
std::string_view beginningOf(const std::string& text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = nextCharacter(text, end);
    if (next > mostCutBytes) break;
    end = next;
  }
  return std::string_view(text).substr(0, end);
}

// By the first merges that were learned here, and by as many whole words, of which all others are unknown.
Cut learnedCut(const ChosenMerges& merges, std::string_view text) {
  Cut cut{"learned",
          formattedCount(merges.chosen) + " merges",
          formattedCount(256 + merges.chosen) + " tokens, learned",
          {},
          true};
  for (const WordMerges& word : mergesOfWords(*merges.tokenizer, text))
    for (const int id : joinedBy(word, merges.chosen)) cut.tokens.push_back(merges.tokenizer->tokenLabel(id));
  return cut;
}
Cut knownWords(const Tokenizer& words, int known, std::string_view text) {
  const int all = words.vocabularySize() - 1;
  known = std::min(known, all);
  Cut cut{"known words",
          "Words and " + std::string(unknownCut),
          formattedCount(known) + " of " + formattedCount(all) + " words",
          {}};
  for (const int id : words.encodeIds(text))
    cut.tokens.push_back(id < known ? words.tokenLabel(id) : unknownCut);
  return cut;
}
std::vector<Cut> cutsLearned(const Snapshot& snapshot, Stream stream, const ChosenMerges& merges) {
  const std::string_view text = beginningOf(snapshot.pass->textOf(stream));
  std::vector<Cut> cuts{bytesOf(text), charactersOf(text)};
  if (merges.tokenizer) cuts.push_back(learnedCut(merges, text));
  if (snapshot.kept.tokenizers.size() > 1 && snapshot.kept.tokenizers[1].tokenizer)
    cuts.push_back(knownWords(*snapshot.kept.tokenizers[1].tokenizer, merges.chosen, text));
  cuts.push_back(wordsOf(text));
  return cuts;
}

class CutsPicture {
 public:
  explicit CutsPicture(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        stream_(listedStream(input.workspace, input.config())),
        merges_(mergesShown(), input.workspace.settings) {
    scene_.sources = input.sources();
    scene_.size = input.pictureSize();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addViewHeader(scene_, input_, area,
                  {isLibrary_ ? "One text in all tokenizers" : "One text in several tokenizers",
                   isLibrary_   ? "A word for one tokenizer, pieces for another"
                   : isLearned_ ? "BPE trained on your texts, and as many words"
                                : "Fewer tokens need a larger vocabulary",

                   {waysToCut()}});
    area.takeTop(8);
    if (!isLibrary_ && merges_.all > 0) {
      addMergeSlider(scene_, input_, merges_, area.takeTop(28));
      area.takeTop(12);
    }
    const std::vector<Cut> cuts = isLibrary_   ? cutsOfLibrary(input_.snapshot, stream_)
                                  : isLearned_ ? cutsLearned(input_.snapshot, stream_, merges_)
                                               : cutsOfModel(input_.snapshot, stream_, merges_);
    for (const Cut& cut : cuts) most_ = std::max(most_, cut.tokens.size());
    if (hasLanguages()) addLanguages(area.takeBottom(24));
    const float height = std::min(cutMost, area.height / static_cast<float>(cuts.size()));
    for (const Cut& cut : cuts) addCut(cut, area.takeTop(height));
    return std::move(scene_);
  }

 private:
  // Whose merges the slider chooses from.
  const Tokenizer* mergesShown() const {
    if (!cutsByLearning(input_.workspace.settings)) return input_.snapshot.model->tokenizer.get();
    const auto& learned = input_.snapshot.kept.tokenizers;
    return learned.empty() ? nullptr : learned.front().tokenizer.get();
  }
  std::vector<Choice> waysToCut() const {
    return {{"This model", "Bytes, characters, the tokens of this model, words", !isLibrary_ && !isLearned_,
             commands::choose(cutsChoice, "")},
            {"Train BPE", "BPE trained on the texts of all tabs", isLearned_,
             commands::choose(cutsChoice, cutsLearnedHere)},
            {"All models", "Tokenizers of all built-in models, one row each", isLibrary_,
             commands::choose(cutsChoice, cutsByLibrary)}};
  }

  void addCut(const Cut& cut, Box row) {
    row.takeBottom(cutGap);
    const Box names = row.takeLeft(std::min(cutNames, row.width * 0.26f));
    const Box numbers = row.takeRight(cutNumbers);
    row.width -= 16;
    addText(scene_, {names.x, names.y + cutLine / 2}, cut.name,
            {FontFace::Strong, Theme::body, cut.isModels ? theme_.accent : theme_.text})
        .maxWidth = names.width - 8;
    if (names.height > 40)
      addText(scene_, {names.x, names.y + cutLine / 2 + 20}, cut.vocabulary, theme_.note()).maxWidth =
          names.width - 8;
    addNumbers(cut, numbers);
    addTokens(cut, row);
  }

  // Of a model that reads one language and writes another with one vocabulary.
  bool hasLanguages() const { return scene_.sources.contains(jointVocabulary::count); }
  enum class Serves { Neither, Source, Target, Both };
  float countOf(int language, int id) const {
    return valueOf(scene_.sources, {jointVocabulary::count, {language, id}}).value_or(0);
  }
  Serves servesOf(int id) const {
    return static_cast<Serves>((countOf(0, id) > 0 ? 1 : 0) + (countOf(1, id) > 0 ? 2 : 0));
  }
  Rgba inkOf(Serves serves) const {
    return serves == Serves::Source   ? theme_.attention
           : serves == Serves::Target ? theme_.feedForward
           : serves == Serves::Both   ? theme_.text
                                      : theme_.line;
  }

  void addLanguages(const Box& box) {
    std::array<int, 4> counts{};
    const int V = scene_.sources.find(jointVocabulary::count)->extent[1];
    for (int id = 0; id < V; ++id) ++counts[static_cast<std::size_t>(servesOf(id))];
    float x = box.x;
    const auto entry = [&](Serves serves, const std::string& name) {
      const std::string words = name + " " + formattedCount(counts[static_cast<std::size_t>(serves)]);
      const float width = input_.metrics.width(words, FontFace::Ui, Theme::small) + 18;
      if (x + width > box.right()) return;
      scene_.add(Rect{{x, box.center().y - 6, 12, 12}, theme_.panel, inkOf(serves), 3, 2});
      addText(scene_, {x + 18, box.center().y}, words, theme_.note());
      x += width + 20;
    };
    const std::string of = "entries: ";
    addText(scene_, {x, box.center().y}, of, theme_.note());
    x += input_.metrics.width(of, FontFace::Ui, Theme::small) + 8;
    entry(Serves::Source, "in the source"), entry(Serves::Target, "in the target"),
        entry(Serves::Both, "in both"), entry(Serves::Neither, "in neither");
  }

  // What a token of the model serves, on hover, with its two counts.
  void addServes(const Box& chip, const std::string& label, int id) {
    scene_.add(Rect{chip, {0, 0, 0, 0}, inkOf(servesOf(id)), 4, 2});
    HitRegion& hit = addHitRegion(scene_, chip, {jointVocabulary::count, {1, id}}, "piece " + label);
    hit.tabStop = false;
    hit.target.entry = id;
    hit.target.text = "“" + label + "”: " + formattedCount(static_cast<int>(countOf(0, id))) +
                      " times in the sources, " + formattedCount(static_cast<int>(countOf(1, id))) +
                      " in the targets of " + std::to_string(jointVocabulary::textsCounted) +
                      " texts of its task";
  }

  void addNumbers(const Cut& cut, const Box& box) {
    const auto count = static_cast<float>(cut.tokens.size());
    addText(scene_, {box.right(), box.y + cutLine / 2}, formattedCount(cut.tokens.size()) + " tokens",
            theme_.mono(), Align::End);
    const float share = count / static_cast<float>(std::max<std::size_t>(1, most_));
    const Box track{box.x, box.y + cutLine - 1, box.width, 5};
    scene_.add(Rect{track, theme_.raised, {0, 0, 0, 0}, 2});
    scene_.add(Rect{{track.x, track.y, track.width * share, track.height},
                    cut.isModels ? theme_.accent : mix(theme_.ground, theme_.quiet, 0.7f),
                    {0, 0, 0, 0},
                    2});
    HitRegion& hit = addHitRegion(scene_, {box.x, box.y, box.width, cutLine + 8}, {}, "cut " + cut.id);
    const std::string& text = input_.snapshot.pass->textOf(stream_);
    const auto bytes = static_cast<float>(isLearned_ ? beginningOf(text).size() : text.size());
    hit.target.text = (cut.allNames.empty() ? cut.name : cut.allNames) + ": " +
                      formattedCount(cut.tokens.size()) + " tokens, " +
                      formattedFixed(count > 0 ? bytes / count : 0, 2) + " bytes in each";
  }

  // In as many lines as there is room for.
  void addTokens(const Cut& cut, const Box& box) {
    const TextStyle style = theme_.mono();
    constexpr float padding = 5, between = 3, rest = 56;
    float x = box.x, y = box.y;
    for (std::size_t i = 0; i < cut.tokens.size(); ++i) {
      const std::string& label = cut.tokens[i];
      const float width =
          std::min(box.width, input_.metrics.width(label, style.face, style.size) + 2 * padding);
      const bool isLastLine = y + 2 * cutLine > box.bottom() + 1;
      const bool isLast = i + 1 == cut.tokens.size();
      if (isLastLine && x + width > box.right() - (isLast ? 0 : rest)) {
        addText(scene_, {x + 4, y + cutLine / 2}, "+ " + formattedCount(cut.tokens.size() - i),
                theme_.note());
        return;
      }
      if (x + width > box.right()) x = box.x, y += cutLine;
      const Box chip{x, y + 2, width, cutLine - 4};
      const bool isUnknown = cut.id == "known words" && label == unknownCut;
      scene_.add(Rect{chip, i % 2 ? theme_.panel : theme_.raised, isUnknown ? theme_.broken : theme_.line, 4,
                      isUnknown ? 2.0f : 1.0f});
      addText(scene_, {chip.x + padding, chip.center().y}, label, style).maxWidth = width - 2 * padding + 1;
      if (hasLanguages() && i < cut.ids.size()) addServes(chip, label, cut.ids[i]);
      x += width + between;
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  Stream stream_;
  ChosenMerges merges_;
  Scene scene_;
  std::size_t most_ = 1;
  bool isLibrary_ = cutsTheLibrary(input_.workspace.settings),
       isLearned_ = cutsByLearning(input_.workspace.settings);
};

}  // namespace

Scene cutsScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.pass->hasTrace() || !snapshot.model->config || !snapshot.model->tokenizer ||
      snapshot.pass->textOf(listedStream(input.workspace, *snapshot.model->config)).empty())
    return emptyScene(input, "No tokens yet", snapshot.standing.errorOr("Type in the Text box."));
  return CutsPicture(input).drawn();
}

}  // namespace glassformer
