#include "app/panels/palette_entries.h"

#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/document/model_commands.h"
#include "app/document/prepared_texts.h"
#include "app/document/selection_commands.h"
#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/document/training_commands.h"
#include "app/document/training_presets.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/manual_pages.h"
#include "app/panels/action.h"
#include "app/panels/decoding_controls.h"
#include "app/panels/palette_words.h"
#include "app/views/other_names.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

// 8 at the beginning of the text, 4 at that of a word, 1 inside, -1 nowhere.
int bestPlace(std::string_view text, std::string_view word) {
  int best = -1;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    best = std::max(best, at == 0 ? 8 : text[at - 1] == ' ' ? 4 : 1);
  return best;
}

// What stands between such characters.
std::vector<std::string> partsOf(std::string_view text, std::string_view between) {
  std::vector<std::string> parts;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return parts;
}

bool hasAll(std::string_view text, const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [&](const std::string& word) { return bestPlace(text, word) >= 0; });
}

// Whatever the language of the system, in some of which "I" is not the capital of "i".
std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

namespace {

using Entries = std::vector<PaletteEntry>;

// What it shows, its synonyms and its former label, each findable.
std::string withOtherNames(const char* about, const OtherNames& other) {
  std::string words = about;
  for (const std::string_view more : {other.words, other.formerly})
    if (!more.empty()) words.append(", ").append(more);
  return words;
}

void addViews(Entries& entries) {
  for (std::size_t i = 0; i < views().size(); ++i) {
    const View& view = views()[i];
    entries.push_back({std::string(view.title) + " view", viewKey(static_cast<int>(i)),
                       [id = view.id](Ui& u) { u.emit(commands::setView(id)); },
                       withOtherNames(view.about, otherNamesOf(view))});
  }
}

// "Residual stream: Contributions".
void addPictures(Entries& entries) {
  for (const View& view : views()) {
    if (view.pictures.size() < 2) continue;
    for (const Picture& picture : view.pictures)
      entries.push_back(
          {view.title + std::string(": ") + picture.label, "picture",
           [&view, id = std::string(picture.id)](Ui& ui) { ui.emit(commands::choosePicture(view.id, id)); },
           withOtherNames(picture.tip, otherNamesOf(view, &picture))});
  }
}

// "Lesson: Masks", "Lecture: Transformers for language"
void addLessons(Entries& entries, const Ui& ui) {
  if (!ui.lessons) return;
  const auto add = [&](const char* kind, const std::shared_ptr<const Lesson>& lesson, bool isBroad) {
    entries.push_back({kind + lesson->title, std::to_string(lesson->minutes) + " min",
                       [lesson](Ui& u) { u.emit(commands::goToLessonStep(lesson, 0)); }, lesson->audience});
    entries.back().isBroad = isBroad;
  };
  for (const auto& lesson : ui.lessons->ships()) add("Lesson: ", lesson, false);
  for (const auto& lecture : ui.lessons->lectures()) add("Lecture: ", lecture, true);
}

// "Manual: Positions"
void addManual(Entries& entries, const Ui& ui) {
  if (!ui.manual) return;
  for (const ManualPage& page : ui.manual->pages())
    entries.push_back({"Manual: " + page.title, "manual",
                       [file = page.file.filename().string()](Ui& u) { u.manualPage = file; }, ""});
}

// "Lesson: Masks, step 6", or of the open one "Lesson step 6": found by what it says.
void addLessonSteps(Entries& entries, const std::shared_ptr<const Lesson>& lesson, const std::string& title) {
  for (int i = 0; i < lesson->stepCount(); ++i) {
    std::string words;
    for (const Paragraph& paragraph : lesson->steps[static_cast<std::size_t>(i)].prose)
      for (const Span& span : paragraph.spans) words += span.text + " ";
    entries.push_back({title + std::to_string(i + 1), "lesson",
                       [lesson, i](Ui& u) { u.emit(commands::goToLessonStep(lesson, i)); }, words});
  }
}
void addStepsOfLessons(Entries& entries, const Ui& ui) {
  if (!ui.lessons) return;
  for (const auto& lesson : ui.lessons->ships())
    if (lesson != ui.lesson) addLessonSteps(entries, lesson, "Lesson: " + lesson->title + ", step ");
}

// "Compare runs: post-norm: warm-up or not": set up and ready to start.
void addPreparedPairs(Entries& entries, const Ui& ui) {
  if (!ui.training) return;
  for (const TrainingPreset& preset : trainingPresets())
    entries.push_back({"Compare runs: " + std::string(preset.label), "preset",
                       [plan = preset.plan()](Ui& u) {
                         u.emit(commands::setPlan(plan));
                         u.ask(Request::Train);
                       },
                       std::string(preset.meaning) + ", train two,"});
}

// "Greedy vs beam": of a model that is there.
void addPreparedTexts(Entries& entries, const Ui& ui) {
  for (const PreparedText& text : preparedTexts())
    if (std::ranges::find(ui.models, text.model, &ModelLibrary::Entry::name) != ui.models.end())
      entries.push_back({std::string(text.label), "example",
                         [text](Ui& u) { u.emit(commands::openPrepared(text)); }, std::string(text.meaning)});
}

void addActions(Entries& entries, const Ui& ui) {
  for (const Action& action : actions())
    if (isAvailable(action, ui))
      entries.push_back({action.title, keyText(action), action.run, otherWordsOfAction(action.id),
                         std::string_view(action.group) == switchGroup});
}

// So that whoever asks for them hears when they can be done.
void addWaitingActions(Entries& entries, const Ui& ui) {
  for (const Action& action : actions())
    if (*action.available.until && !isAvailable(action, ui))
      entries.push_back({.title = action.title,
                         .about = action.available.until,
                         .run = {},
                         .words = otherWordsOfAction(action.id),
                         .waits = true});
}

// What a model can be made of instead, and its numbers.
void addChoices(Entries& entries, const Ui& ui) {
  const ModelConfig& config = *ui.snapshot.model->config;
  const ModelConfig loaded = ui.snapshot.model->loadedConfig.value_or(config);
  for (const ConfigChoice& choice : configChoices()) {
    if (!choice.matters(config)) continue;
    for (const ConfigOption& option : choice.options) {
      if (option.id == valueOf(choice, config)) continue;
      const ModelChanges changes = withChange(ui.workspace().changes, loaded, choice.id, option.id);
      if (!changedConfig(loaded, changes)) continue;
      entries.push_back({choice.name + ": " + option.name, "choice",
                         [changes](Ui& u) { u.emit(commands::setModelChanges(changes)); },
                         choice.meaning + " " + option.meaning + " " +
                             std::string(otherWordsOfField(choice.id)) + ", " +
                             std::string(otherWordsOfField(choice.id + "=" + option.id))});
    }
  }
  for (const ConfigNumber& number : configNumbers())
    if (number.matters(config))
      entries.push_back({number.name + " of the model: " + valueOf(number, config), "number",
                         [id = number.id](Ui& u) { u.modelField = id; },
                         number.meaning + " " + std::string(otherWordsOfField(number.id))});
}

void addDecoding(Entries& entries, const Ui& ui) {
  if (!ui.snapshot.model->continues()) return;
  for (const DecodingSetting& setting : decodingSettings())
    entries.push_back({setting.title, "decoding", [setting](Ui& u) { askFor(u, setting); }, setting.words});
}

template <typename Visit>
void eachHead(const ModelConfig& config, Visit visit) {
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < config.heads; ++head) visit(HeadId{layer, head, site});
}

void addHeads(Entries& entries, const Ui& ui) {
  const ModelConfig& config = *ui.snapshot.model->config;
  eachHead(config, [&](HeadId head) {
    entries.push_back({"Head " + nameOf(head), "head",
                       [=](Ui& u) {
                         u.emit(commands::selectHead(head));
                         u.emit(commands::setView("attention"));
                       },
                       blockName(head.layer, head.site) + " head " + std::to_string(head.head)});
  });
  std::vector<ModelPart> parts = wholeParts(config);
  eachHead(config, [&](HeadId head) {
    parts.push_back({ModelPart::Kind::Head, head.layer, head.head, head.site});
  });
  for (const ModelPart& part : parts)
    entries.push_back({(isOff(ui.workspace().interventions, part) ? "Restore " : "Ablate ") + nameOf(part),
                       "model", [part](Ui& u) { u.emit(commands::togglePart(part)); },
                       "ablation, knock out, switch off, switch on", true});
}

void addSteps(Entries& entries, const Ui& ui) {
  const auto steps = stepsOf(*ui.snapshot.model->transformer);
  for (const Step& step : steps)
    entries.push_back(
        {fullTitle(step), "step", [name = nameOf(step)](Ui& u) { u.emit(commands::setStep(name)); }});
  for (int i = 0; i < (ui.snapshot.pass->trace ? ui.snapshot.pass->trace->tokenCount() : 0); ++i)
    entries.push_back(
        {"Token " + std::to_string(i) + "  " + ui.snapshot.pass->tokens[static_cast<std::size_t>(i)].label,
         "token", [i](Ui& u) { u.emit(commands::selectQuery(i)); }});
}

Entries entriesBySubject(const Ui& ui) {
  Entries entries;
  addViews(entries);
  addPictures(entries);
  addActions(entries, ui);
  addPreparedPairs(entries, ui);
  addPreparedTexts(entries, ui);
  addLessons(entries, ui);
  addManual(entries, ui);
  if (ui.lesson) addLessonSteps(entries, ui.lesson, "Lesson step ");
  for (const ModelLibrary::Entry& model : ui.models)
    entries.push_back({"Open model " + model.name, "model",
                       [name = model.name](Ui& u) { u.emit(commands::setModel(name)); }});
  addDecoding(entries, ui);
  if (ui.snapshot.model->config) {
    addHeads(entries, ui);
    addChoices(entries, ui);
    addSteps(entries, ui);
  }
  addStepsOfLessons(entries, ui);
  return entries;
}

}  // namespace

std::vector<PaletteEntry> paletteEntries(const Ui& ui) {
  Entries entries = entriesBySubject(ui);
  for (PaletteEntry& entry : entries) {
    const std::string_view other = otherWords(entry.title);
    if (!other.empty()) entry.words.append(entry.words.empty() ? "" : " ").append(other);
  }
  addWaitingActions(entries, ui);
  return entries;
}

int wordsTyped(std::string_view typed) { return static_cast<int>(partsOf(typed, " ").size()); }

namespace {

// Whether it is all of one of these phrases: a synonym, or what a title has before or after ": " and " · ".
bool isOneOf(const std::string& phrases, const char* between, const std::string& typed) {
  return std::ranges::any_of(partsOf(phrases, between), [&](const std::string& phrase) {
    const std::size_t first = phrase.find_first_not_of(' '), last = phrase.find_last_not_of(' ');
    return first != std::string::npos && phrase.substr(first, last - first + 1) == typed;
  });
}

}  // namespace

int paletteScore(const PaletteEntry& entry, std::string_view typed) {
  constexpr int byTitle = 500, byWholeTitle = 600,
                bySynonym = 520;  // a synonym is more than a part of a title
  const std::string title = lowered(entry.title);
  const std::vector<std::string> words = partsOf(lowered(typed), " ");
  const bool isByTitle = hasAll(title, words);
  const std::string searched = isByTitle ? title : title + " " + lowered(entry.words);
  int score = words.empty() ? 0 : -1;
  for (const std::string& word : words)
    if (const int best = bestPlace(searched, word); best >= 0)
      score = std::max(score, 0) + scoreOfWord + (entry.isBroad ? 0 : best);
  if (entry.isBroad || words.empty()) return score;
  const std::string whole = lowered(typed);
  if (isOneOf(title, ":·", whole)) return score + byWholeTitle;
  if (isOneOf(lowered(entry.words), ",.;\n", whole)) return score + bySynonym;
  return isByTitle ? score + byTitle : score;
}

std::string answeringWords(const PaletteEntry& entry, std::string_view typed) {
  if (hasAll(lowered(entry.title), partsOf(lowered(typed), " "))) return "";
  std::string answering;
  std::ptrdiff_t most = 0;
  for (std::string& phrase : partsOf(entry.words, ",.;\n")) {
    phrase.erase(0, phrase.find_first_not_of(' '));
    const auto found = std::ranges::count_if(partsOf(lowered(typed), " "), [&](const std::string& word) {
      return bestPlace(lowered(phrase), word) >= 0;
    });
    if (found > most) most = found, answering = std::move(phrase);
  }
  return answering;
}

}  // namespace glassformer
