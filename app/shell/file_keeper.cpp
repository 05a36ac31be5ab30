#include "app/shell/file_keeper.h"

#include <algorithm>

#include "app/archives/npz.h"
#include "app/document/comparison_commands.h"
#include "app/document/figure_recipe.h"
#include "app/document/session.h"
#include "app/document/trace_file.h"
#include "app/document/view_commands.h"
#include "app/lesson/class_answers.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_keeping.h"
#include "app/lesson/lesson_walk.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/io/picture_note.h"
#include "core/text/utf8.h"

namespace glassformer {

// Where the last file was; else where the program was started.
std::filesystem::path FileKeeper::folder() const {
  std::error_code error;
  const auto& paths = recent_.paths();
  return (paths.empty() ? std::filesystem::current_path(error) : paths.front().parent_path()) / "";
}

std::shared_ptr<const Lesson> FileKeeper::lesson() const {
  return lessons_.current(history_.current().lesson.lesson);
}

bool FileKeeper::isText(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && endingOf(path) != ".json" &&
         endingOf(path) != ".safetensors" && !isLessonFile(path) && !isPictureFile(path) &&
         !isAnswersFile(path) && !isPack(path) && !isDump(path);
}

Status FileKeeper::open(const std::filesystem::path& path, double seconds) {
  const Status opened = openByKind(path, seconds);
  if (opened) recent_.add(path);
  return opened;
}

Status FileKeeper::openByKind(const std::filesystem::path& path, double seconds) {
  if (isLessonFile(path)) return openLesson(path.string(), seconds);
  if (isAnswersFile(path)) return openAnswers(path, seconds);
  if (isPictureFile(path)) return openFigure(path, seconds);
  if (isPack(path)) return work_.unpack(path);
  if (isDump(path)) return openDump(path, seconds);
  const Result<Command> command = commandToOpen(path);
  if (!command) return command.error();
  history_.apply(*command, seconds);
  if (endingOf(path) == ".json") own_ = path;
  return success();
}

Status FileKeeper::saveTo(const std::filesystem::path& path) {
  const Status saved = saveSession(path, history_.current());
  if (saved) own_ = path, said_ = "Saved to " + path.filename().string() + ".";
  return saved;
}

Status FileKeeper::save() {
  if (!own_.empty()) return saveTo(own_);
  askWhereToSave();
  return success();
}

Status FileKeeper::openLesson(const std::string& lesson, double seconds) {
  const auto opened = lessons_.open(lesson);
  if (!opened) return opened.error();
  history_.apply(commands::goToLessonStep(*opened, 0), seconds);
  return success();
}

Status FileKeeper::openFigure(const std::filesystem::path& path, double seconds) {
  const Result<FigureRecipe> recipe = recipeIn(path);
  if (!recipe) return recipe.error();
  history_.apply(commands::openFigure(*recipe), seconds);
  figureOrigin_.expect(recipe->origin, history_.revision());
  return success();
}

// Of the open lesson, or of one that ships, which opens then.
Status FileKeeper::openAnswers(const std::filesystem::path& path, double seconds) {
  const Result<ClassAnswers> answers = readAnswers(path);
  if (!answers) return answers.error();
  auto of = lesson();
  if (!of || handedInName(*of) != answers->lesson) {
    of = lessons_.shipped(answers->lesson);
    if (!of)
      return Error{"answers to the lesson " + inQuotes(answers->lesson), path.string(),
                   "open that lesson first"};
  }
  if (Status fits = fitsLesson(*answers, *of); !fits) return fits;
  if (history_.current().lesson.lesson != of->id)
    if (Status opened = openLesson(of->id, seconds); !opened) return opened;
  history_.apply(commands::addAnswers(*answers), seconds);
  return success();
}

Status FileKeeper::keepStep(const std::filesystem::path& file, double seconds) {
  const Status kept = keepAsStep(file, history_.current());
  if (!kept) return kept;
  const auto opened = lessons_.open(file.string());
  if (!opened) return opened.error();
  history_.apply(commands::goToLessonStep(*opened, (*opened)->stepCount() - 1), seconds);
  return success();
}

Status FileKeeper::pack(const std::filesystem::path& path) {
  const auto open = lesson();
  return packed_ == Packed::Lesson && open ? work_.pack(open, path) : work_.pack(history_.current(), path);
}

// What could be the open model's own is held against it; anything else is looked at by itself.
Status FileKeeper::openDump(const std::filesystem::path& path, double seconds) {
  if (model_ && model_->transformer && !model_->hasNoWeights() && !isTraceFile(history_.current().model)) {
    const auto dump = glassformer::openDump(path);
    if (!dump) return dump.error();
    if (couldBeOf(*dump, *model_->config))
      return work_.check(path, {model_->name, model_->transformer, nullptr});
  }
  history_.apply(commands::openTrace(path), seconds);
  return success();
}

Status FileKeeper::compareWith(const std::filesystem::path& path, double seconds) {
  if (!isDump(path))
    return Error{"is not a file of recorded activations", path.string(),
                 "choose an .npz or .safetensors of trace points"};
  history_.apply(commands::compareWithTrace(path), seconds);
  return success();
}

Status FileKeeper::takeDone(double seconds) {
  const auto done = work_.take();
  if (!done) return success();
  if (!done->outcome) return done->outcome.error();
  if (const auto* check = std::get_if<ModelCheck>(&*done->outcome))
    return checkPanel_.begin(*check), success();
  const auto* unpacked = std::get_if<Unpacked>(&*done->outcome);
  if (unpacked && unpacked->session) history_.apply(commands::openSession(*unpacked->session), seconds);
  return unpacked && !unpacked->lesson.empty() ? openLesson(unpacked->lesson.string(), seconds) : success();
}

Status FileKeeper::saveAnswers(const std::filesystem::path& path) const {
  const auto open = lesson();
  return open ? writeFile(path, answersFile(*open, history_.current().lesson)) : success();
}

void FileKeeper::askWhatToOpen() { openPanel_.begin(folder(), recent_.paths()); }
void FileKeeper::askWhatToCompare() { tracePanel_.begin(folder(), recent_.paths()); }
void FileKeeper::askWhereToSave() {
  sessionPanel_.begin(own_.empty() ? folder() / "session.json" : own_, {});
}
void FileKeeper::askWhereToKeepStep() { lessonPanel_.begin(folder() / "lesson.md", {}); }
void FileKeeper::askWhereToPack(Packed what) {
  packed_ = what;
  const auto open = lesson();
  const std::string name =
      what == Packed::Lesson && open ? open->file.stem().string() : std::string("session");
  packPanel_.begin(folder() / (name + packExtension), {});
}
void FileKeeper::askWhereToSaveAnswers() {
  const auto open = lesson();
  if (!open) return;
  const std::string name = std::filesystem::path(handedInName(*open)).stem().string() + ".answers.csv";
  answersPanel_.begin(folder() / name, {});
}

// The panel closes where that can be done with what was chosen; else it says why not.
template <typename Act>
void FileKeeper::take(FilePanel& panel, Act act) {
  const std::filesystem::path path = panel.take();
  if (path.empty()) return;
  if (Status done = act(path); !done) return panel.fail(done.error().message());
  panel.close();
  recent_.add(path);
}

void FileKeeper::takeChosen(double seconds) {
  using Path = std::filesystem::path;
  take(openPanel_, [&](const Path& path) { return openByKind(path, seconds); });
  take(tracePanel_, [&](const Path& path) { return compareWith(path, seconds); });
  take(lessonPanel_, [&](const Path& path) { return keepStep(path, seconds); });
  take(answersPanel_, [&](const Path& path) { return saveAnswers(path); });
  take(packPanel_, [&](const Path& path) { return pack(path); });
  take(sessionPanel_, [&](const Path& path) { return saveTo(path); });
}

}  // namespace glassformer
