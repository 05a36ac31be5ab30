#include "app/bundles/pack.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/archives/archive.h"
#include "app/document/session.h"
#include "app/document/trace_file.h"
#include "app/document/workspace_json.h"
#include "app/engine/open_run.h"
#include "app/lesson/lecture.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "core/io/adapter.h"
#include "core/io/file_ending.h"
#include "core/io/file_lock.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// The first file of the archive says what the others are.
constexpr const char *contentsFile = "glassformer.json", *sessionFile = "session.json",
                     *adoptedFile = "adopted.json";
constexpr const char* packKind = "glassformer pack";
constexpr int packVersion = 1;
constexpr std::size_t mostText = std::size_t{256} << 20, mostContents = std::size_t{1} << 20;

// What a model's folder holds that is read; what lies beside it in formats of others need not come along.
bool isOfModel(const fs::path& file) {
  static constexpr std::array extensions{".json", ".txt", ".safetensors", ".gguf", ".model", ".spm", ".md"};
  return std::ranges::find(extensions, endingOf(file)) != extensions.end();
}

// Whether a file is being written.
bool isPart(const fs::path& file) { return endingOf(file) == ".part"; }

// What is named in a session or a lesson, and goes into its pack.
class Belongings {
 public:
  explicit Belongings(const PackFolders& folders) : folders_(folders) {}

  // What the model is called in the pack; "./..." lies in it.
  Result<std::string> model(const std::string& name) {
    if (std::ranges::find(folders_.ships, name) != folders_.ships.end()) return name;
    if (isRun(name)) return run(name);
    if (isTraceFile(name))
      return Error{"recorded activations from a remote folder cannot be bundled", name,
                   "give its file along with the session"};
    if (!isModelDirectory(name)) return Error{"cannot bundle: no such model", name, "open one that is there"};
    if (const auto known = models_.find(name); known != models_.end()) return known->second;
    const std::string called = free(fs::path(name).filename().string());
    if (Status added = addFolder(name, called); !added) return added.error();
    // An adapter finds its base beside it.
    if (isAdapter(name)) {
      const auto base = baseOf(name);
      if (!base) return base.error();
      const std::string own = baseNameOf(name);
      if (Status added = addFolder(*base, own.empty() ? base->filename().string() : own); !added)
        return added.error();
    }
    return models_[name] = "./models/" + called;
  }

  // What a trace from elsewhere, which the model is compared with, is called in the pack.
  Result<std::string> trace(const std::string& file) {
    std::error_code error;
    if (file.empty() || traces_.contains(file)) return file.empty() ? file : traces_[file];
    if (!fs::is_regular_file(file, error))
      return Error{"cannot bundle: no such recorded activations", file,
                   "remove the comparison, or bring the file back"};
    const std::string called =
        "traces/" + std::to_string(traces_.size() + 1) + "-" + fs::path(file).filename().string();
    files_.push_back({called, file, ""});
    return traces_[file] = "./" + called;
  }

  void add(std::string name, std::string text) { files_.push_back({std::move(name), {}, std::move(text)}); }

  Status write(const fs::path& file, const std::string& opens, const ProgressCallback& watch) {
    const json contents{{"kind", packKind}, {"version", packVersion}, {"opens", opens}, {"runs", runs_}};
    std::ranges::sort(files_, {}, &FileToArchive::name);
    files_.insert(files_.begin(), {contentsFile, {}, contents.dump(2) + "\n"});
    return writeArchive(file, files_, watch);
  }

 private:
  Status addFolder(const fs::path& folder, const std::string& called) {
    std::error_code error;
    if (fs::is_regular_file(folder, error)) {  // a GGUF file by itself
      files_.push_back({"models/" + called + "/" + folder.filename().string(), folder, ""});
      return success();
    }
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.is_regular_file(error) && isOfModel(entry.path()))
        files_.push_back({"models/" + called + "/" + entry.path().filename().string(), entry.path(), ""});
    return error ? Status(Error{"cannot be read: " + error.message(), folder.string(), ""}) : success();
  }

  Result<std::string> run(const std::string& name) {
    const std::string folder = name.substr(runPrefix.size());
    if (std::ranges::find(runs_, folder) != runs_.end()) return name;
    const fs::path kept = folders_.runs / folder;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(kept, error))
      if (entry.is_regular_file(error) && !isPart(entry.path()))
        files_.push_back({"runs/" + folder + "/" + entry.path().lexically_relative(kept).generic_string(),
                          entry.path(), ""});
    if (error) return Error{"cannot bundle the run: " + error.message(), name, ""};
    runs_.push_back(folder);
    return name;
  }

  // Two folders may be called the same.
  std::string free(const std::string& name) const {
    std::string called = name;
    const auto isTaken = [&] {
      return std::ranges::any_of(models_,
                                 [&](const auto& known) { return known.second == "./models/" + called; });
    };
    for (int number = 2; isTaken(); ++number) called = name + "-" + std::to_string(number);
    return called;
  }

  const PackFolders& folders_;
  std::map<std::string, std::string> models_;  // by the folder's path
  std::map<std::string, std::string> traces_;  // by the file's path
  std::vector<std::string> runs_;
  std::vector<FileToArchive> files_;
};

Error atFile(Error error, const fs::path& file) { return {error.message(), file.string(), ""}; }

// The models that a lesson names, as it does.
Result<std::vector<std::string>> modelsIn(const Lesson& lesson) {
  std::vector<std::string> models{lesson.model};  // and traces, which are refused
  for (const LessonStep& step : lesson.steps)
    for (const std::string& patch : {step.shown, step.revealed}) {
      const auto fields = parseJson(patch, lesson.file.string());
      if (!fields) return fields.error();
      if (const auto model = fields->find("model"); model != fields->end() && model->is_string())
        models.push_back(model->get<std::string>());
      if (const auto compare = fields->find("compare"); compare != fields->end() && compare->is_object())
        if (const std::string trace = compare->value("trace", ""); !trace.empty()) models.push_back(trace);
    }
  return models;
}

// A line "model: NAME" with another name.
std::string renamedLine(const std::string& line, const std::map<std::string, std::string>& names) {
  static constexpr std::string_view field = "model:";
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || line.compare(begin, field.size(), field) != 0) return line;
  std::size_t from = line.find_first_not_of(" \t\"'", begin + field.size()),
              to = line.find_last_not_of(" \t\"'\r");
  if (from == std::string::npos || to < from) return line;
  const auto found = names.find(line.substr(from, to + 1 - from));
  return found == names.end() ? line : line.substr(0, begin) + "model: \"" + found->second + "\"";
}

std::string renamedLines(const std::string& text, const std::map<std::string, std::string>& names) {
  std::istringstream lines(text);
  std::string renamed;
  for (std::string line; std::getline(lines, line);) renamed += renamedLine(line, names) + "\n";
  return renamed;
}

// The lesson's text with the models as they are called in the pack.
Result<std::string> textOf(const Lesson& lesson, Belongings& belongings) {
  const auto models = modelsIn(lesson);
  if (!models) return models.error();
  std::map<std::string, std::string> names;
  for (const std::string& model : *models) {
    const auto called = belongings.model(modelNamed(model, lesson));
    if (!called) return atFile(called.error(), lesson.file);
    if (*called != model) names[model] = *called;
  }
  const auto text = readTextFile(lesson.file);
  if (!text) return text.error();
  const std::string renamed = renamedLines(*text, names);
  const auto read = readLesson(renamed);
  const auto now = read ? modelsIn(*read) : read.error();
  const bool isRenamed = now && std::ranges::none_of(*now, [&](const auto& m) { return names.contains(m); });
  if (!isRenamed)
    return Error{"the names of its models cannot be rewritten", lesson.file.string(),
                 "write \"model:\" on a line of its own"};
  return renamed;
}

Result<std::string> addLesson(const Lesson& lesson, Belongings& belongings) {
  const auto text = textOf(lesson, belongings);
  if (!text) return text.error();
  const std::string name = lesson.file.filename().string();
  belongings.add(name, *text);
  return name;
}

// With another name for every model and lesson that a session names, and that before its lesson does.
template <typename OfModel, typename OfTrace, typename OfLesson>
Result<Workspace> renamedSession(Workspace w, const OfModel& ofModel, const OfTrace& ofTrace,
                                 const OfLesson& ofLesson) {
  const Result<std::string> model = ofModel(w.model);
  if (!model) return model.error();
  w.model = *model;
  const Result<std::string> trace = ofTrace(w.recordedTrace);
  if (!trace) return trace.error();
  w.recordedTrace = *trace;
  if (!w.lesson.isOpen()) return w;
  const Result<std::string> lesson = ofLesson(w.lesson.lesson);
  if (!lesson) return lesson.error();
  w.lesson.lesson = *lesson;
  const auto before = workspaceFromJson(w.lesson.before);
  if (!before) return w;
  const auto renamed = renamedSession(*before, ofModel, ofTrace, ofLesson);
  if (!renamed) return renamed.error();
  w.lesson.before = toJson(*renamed);
  return w;
}

// What the first file says.
struct Contents {
  std::string opens;
  std::vector<std::string> runs;
};
Result<Contents> contentsOf(const std::string& text, const fs::path& file) {
  const auto parsed = parseJson(text, contentsFile);
  if (!parsed) return atFile(parsed.error(), file);
  const auto isName = [](const json& name) {
    return name.is_string() && !name.empty() &&
           fs::path(name.get<std::string>()).filename() == name.get<std::string>();
  };
  const json& said = *parsed;
  const auto field = [&](const char* name) {
    return said.is_object() && said.contains(name) ? said[name] : json();
  };
  const json runs = field("runs"), opens = field("opens");
  const bool isWhole =
      field("kind") == packKind && isName(opens) && runs.is_array() && std::ranges::all_of(runs, isName);
  if (!isWhole) return Error{"its " + std::string(contentsFile) + " is damaged", file.string(), ""};
  if (field("version") != packVersion)
    return Error{"a newer program wrote this", file.string(), "open it with that"};
  return Contents{opens.get<std::string>(), runs.get<std::vector<std::string>>()};
}

// In the folder that is its own, whole or not at all.
Result<fs::path> unpackedIn(const fs::path& file, const Archive& archive, const PackFolders& folders,
                            const ProgressCallback& watch) {
  const fs::path folder = folders.unpacked / (file.stem().string() + "-" + archive.checksum()),
                 part = folder.string() + ".part";
  if (folders.unpacked.empty())
    return Error{"no home folder to unpack in", file.string(), "set HOME or XDG_STATE_HOME"};
  std::error_code error;
  fs::create_directories(folders.unpacked, error);
  const auto own = FileLock::takeFolder(folders.unpacked, std::chrono::seconds(5));
  if (!own) return Error{"another window is unpacking", file.string(), "try again when that is done"};
  if (fs::exists(folder / contentsFile, error)) return folder;
  fs::remove_all(part, error);
  if (!fs::create_directories(part, error))
    return Error{"cannot be made: " + error.message(), part.string(), ""};
  const Status unpacked = archive.unpack(part, watch);
  if (unpacked) fs::rename(part, folder, error);
  if (unpacked && !error) return folder;
  const Error why =
      unpacked ? Error{"cannot be renamed: " + error.message(), part.string(), ""} : unpacked.error();
  fs::remove_all(part, error);
  return why;
}

// A run that was unpacked becomes one of ours, once: under a name "TASK-NUMBER" that is free.
Result<std::string> adopted(const std::string& run, const fs::path& folder, const PackFolders& folders) {
  const fs::path list = folder / adoptedFile;
  const auto text = readTextFile(list, mostContents);
  const auto known = text ? parseJson(*text, "") : Result<json>(json::object());
  json names = known && known->is_object() ? *known : json::object();
  std::error_code error;
  const json name = names.value(run, json());
  if (name.is_string() && fs::is_directory(folders.runs / name.get<std::string>(), error))
    return name.get<std::string>();
  const std::string task = run.substr(0, run.rfind('-'));
  fs::create_directories(folders.runs, error);
  int number = 1;
  while (!fs::create_directory(folders.runs / (task + "-" + std::to_string(number)), error) && !error)
    ++number;
  const std::string own = task + "-" + std::to_string(number);
  if (error)
    return Error{"the run cannot be taken over: " + error.message(), (folders.runs / own).string(), ""};
  if (Status copied = OpenRun::copy(folder / "runs" / run, folders.runs / own); !copied) {
    fs::remove_all(folders.runs / own, error);
    return copied.error();
  }
  names[run] = own;
  if (Status written = writeFile(list, names.dump(2) + "\n"); !written) return written.error();
  return own;
}

Result<Workspace> openedSession(const fs::path& folder, const Contents& contents,
                                const PackFolders& folders) {
  const auto text = readTextFile(folder / contents.opens, mostText);
  if (!text) return text.error();
  const auto session = workspaceFromJson(*text);
  if (!session) return atFile(session.error(), folder / contents.opens);
  const auto inFolder = [&](const std::string& name) -> Result<std::string> {
    return name.starts_with("./") ? (folder / name).lexically_normal().string() : name;
  };
  const auto model = [&](const std::string& name) -> Result<std::string> {
    if (!isRun(name)) return inFolder(name);
    const std::string run = name.substr(runPrefix.size());
    if (std::ranges::find(contents.runs, run) == contents.runs.end()) return name;
    const auto own = adopted(run, folder, folders);
    return own ? Result<std::string>(std::string(runPrefix) + *own) : own.error();
  };
  return renamedSession(*session, model, inFolder, inFolder);
}

// The lesson's file, its runs called as they are here.
Result<fs::path> openedLesson(const fs::path& folder, const Contents& contents, const PackFolders& folders) {
  const fs::path file = folder / contents.opens;
  std::map<std::string, std::string> names;
  for (const std::string& run : contents.runs) {
    const auto own = adopted(run, folder, folders);
    if (!own) return own.error();
    if (*own != run) names[std::string(runPrefix) + run] = std::string(runPrefix) + *own;
  }
  if (names.empty()) return file;
  const auto text = readTextFile(file, mostText);
  if (!text) return text.error();
  const Status written = writeFile(file, renamedLines(*text, names));
  return written ? Result<fs::path>(file) : written.error();
}

}  // namespace

PackFolders packFolders(const std::vector<ModelLibrary::Entry>& ships, const fs::path& session) {
  PackFolders folders;
  for (const ModelLibrary::Entry& model : ships) folders.ships.push_back(model.name);
  const fs::path file = session.empty() ? defaultSessionPath() : session;
  if (file.empty()) return folders;
  folders.runs = file.parent_path() / "runs", folders.unpacked = file.parent_path() / "packs";
  return folders;
}

bool isPack(const fs::path& file) {
  // A zip archive's first file: its name's length is at byte 26, the name at 30.
  const std::string name = contentsFile;
  std::string begin(30 + name.size(), '\0');
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in && begin.starts_with("PK\3\4") && begin[26] == static_cast<char>(name.size()) && begin[27] == 0 &&
         begin.ends_with(name);
}

Status packSession(const Workspace& workspace, const PackFolders& folders, const fs::path& file,
                   const ProgressCallback& watch) {
  Belongings belongings(folders);
  const auto lesson = [&](const std::string& name) -> Result<std::string> {
    if (!fs::path(name).is_absolute()) return name;  // it ships
    const auto read = isLectureFile(name) ? Result<Lesson>(Lesson{.file = name}) : readLessonFile(name);
    if (!read) return read.error();
    const auto added = addLesson(*read, belongings);
    return added ? Result<std::string>("./" + *added) : added.error();
  };
  const auto packed = renamedSession(
      workspace, [&](const std::string& model) { return belongings.model(model); },
      [&](const std::string& trace) { return belongings.trace(trace); }, lesson);
  if (!packed) return packed.error();
  belongings.add(sessionFile, toJson(*packed));
  return belongings.write(file, sessionFile, watch);
}

Status packLesson(const Lesson& lesson, const PackFolders& folders, const fs::path& file,
                  const ProgressCallback& watch) {
  Belongings belongings(folders);
  const auto name = addLesson(lesson, belongings);
  return name ? belongings.write(file, *name, watch) : Status(name.error());
}

Status packFile(const std::string& what, const fs::path& shelf, const PackFolders& folders,
                const fs::path& file, const ProgressCallback& watch) {
  LessonShelf lessons(shelf);
  if (lessons.shipped(what) || isLessonFile(what)) {
    const auto lesson = lessons.open(what);
    return lesson ? packLesson(**lesson, folders, file, watch) : Status(lesson.error());
  }
  const auto text = readTextFile(what, mostText);
  if (!text) return text.error();
  const auto session = workspaceFromJson(*text);
  if (!session) return Error{session.error().message(), what, "only a session or a lesson can be bundled"};
  return packSession(*session, folders, file, watch);
}

Result<Unpacked> unpack(const fs::path& file, const PackFolders& folders, const ProgressCallback& watch) {
  const auto archive = Archive::open(file);
  if (!archive) return archive.error();
  const auto text = archive->text(contentsFile, mostContents);
  if (!text) return text.error();
  const auto contents = contentsOf(*text, file);
  if (!contents) return contents.error();
  const auto folder = unpackedIn(file, *archive, folders, watch);
  if (!folder) return folder.error();
  if (contents->opens != sessionFile) {
    const auto lesson = openedLesson(*folder, *contents, folders);
    return lesson ? Result<Unpacked>(Unpacked{{}, *lesson}) : lesson.error();
  }
  auto session = openedSession(*folder, *contents, folders);
  return session ? Result<Unpacked>(Unpacked{std::move(*session), {}}) : session.error();
}

Result<std::string> lessonIn(const std::string& lesson, const PackFolders& folders,
                             const ProgressCallback& watch) {
  if (!isPack(lesson)) return lesson;
  const auto unpacked = unpack(lesson, folders, watch);
  if (!unpacked) return unpacked.error();
  if (unpacked->lesson.empty()) return Error{"it contains a session, not a lesson", lesson, ""};
  return unpacked->lesson.string();
}

}  // namespace glassformer
