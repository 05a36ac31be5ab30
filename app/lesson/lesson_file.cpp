#include "app/lesson/lesson_file.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/lesson/lecture.h"
#include "app/lesson/lesson_patch.h"
#include "app/lesson/markdown.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longestLesson = 1 << 20;
constexpr int mostNodes = 4096, deepestNode = 16, mostSteps = 200;

struct Wrong : std::runtime_error {
  Wrong(int at, const std::string& why) : std::runtime_error(why), line(at) {}
  int line;
};

struct LessonLine {
  int number;
  std::string_view text;

  /// Without blanks at its end, which nobody sees.
  std::string_view bare() const { return text.substr(0, text.find_last_not_of(" \t") + 1); }
};

// Some editors begin a file with the byte-order mark U+FEFF.
std::string_view withoutMark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::vector<LessonLine> linesOf(std::string_view text) {
  std::vector<LessonLine> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({static_cast<int>(lines.size()) + 1, line});
    at = end + 1;
  }
  return lines;
}

// yaml-cpp makes lone bytes of the escapes "\_" and "\N", which are no UTF-8.
std::string textOf(const YAML::Node& node) {
  auto text = node.as<std::string>();
  if (!isValidUtf8(text)) throw std::runtime_error("an escape in it gives no UTF-8: write the character");
  return text;
}

// A plain scalar is what it looks like; one in quotes is words.
Json scalar(const YAML::Node& node) {
  const std::string text = textOf(node);
  if (node.Tag() == "!") return text;
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  const char *const begin = text.data(), *const end = begin + text.size();
  std::int64_t whole = 0;
  if (const auto [rest, error] = std::from_chars(begin, end, whole); error == std::errc() && rest == end)
    return whole;
  double number = 0;
  if (const auto [rest, error] = std::from_chars(begin, end, number); error == std::errc() && rest == end)
    return number;
  return text;
}

Json jsonOf(const YAML::Node& node, int& nodes, int depth = 0) {
  if (++nodes > mostNodes || depth > deepestNode) throw std::runtime_error("it is too large");
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return scalar(node);
    case YAML::NodeType::Sequence: {
      Json list = Json::array();
      for (const YAML::Node& each : node) list.push_back(jsonOf(each, nodes, depth + 1));
      return list;
    }
    case YAML::NodeType::Map: {
      Json map = Json::object();
      for (const auto& each : node) map[textOf(each.first)] = jsonOf(each.second, nodes, depth + 1);
      return map;
    }
    default:
      return nullptr;
  }
}

// As it is written, and the items of a list.
std::vector<std::string> writtenIn(const YAML::Node& node) {
  std::vector<std::string> written;
  if (node.IsScalar()) written.push_back(textOf(node));
  if (node.IsSequence())
    for (const YAML::Node& each : node)
      if (each.IsScalar()) written.push_back(textOf(each));
  return written;
}

// Fields of YAML that begins below a line, as JSON, each with its line. Where words are asked for, "No" and
// "1.10" are these words.
struct Fields {
  Json values = Json::object();
  std::map<std::string, std::vector<std::string>> written;
  std::map<std::string, int> lines;

  bool has(const char* name) const { return values.contains(name); }
  int line(const std::string& name, int other) const {
    const auto found = lines.find(name);
    return found == lines.end() ? other : found->second;
  }
};

Fields fieldsIn(const std::string& yaml, int above) {
  Fields fields;
  try {
    const YAML::Node node = YAML::Load(yaml);
    if (!node.IsDefined() || node.IsNull()) return fields;
    if (!node.IsMap()) throw Wrong(above + 1, "\"field: value\" is expected in every line");
    int nodes = 0;
    for (const auto& each : node) {
      const auto name = each.first.as<std::string>();
      const int line = above + each.first.Mark().line + 1;
      if (!isValidUtf8(name)) throw Wrong(line, "an escape in a field's name gives no UTF-8");
      if (fields.lines.contains(name)) throw Wrong(line, inQuotes(name) + " is there twice");
      fields.lines[name] = line;
      try {
        fields.values[name] = jsonOf(each.second, nodes);
        fields.written[name] = writtenIn(each.second);
      } catch (const std::runtime_error& e) {
        throw Wrong(line, name + ": " + e.what());
      }
    }
  } catch (const YAML::Exception& e) {
    throw Wrong(above + std::max(e.mark.line, 0) + 1, "YAML: " + e.msg);
  }
  return fields;
}

std::string wordsOf(const Fields& fields, const char* name, int line, const std::string& otherwise = "") {
  if (!fields.has(name)) return otherwise;
  const auto& written = fields.written.at(name);
  if (!fields.values[name].is_structured() && !written.empty()) return written.front();
  throw Wrong(fields.line(name, line), std::string(name) + ": words are expected");
}

// One, or a list of them.
std::vector<std::string> listOf(const Fields& fields, const char* name, int line) {
  if (!fields.has(name)) return {};
  const Json& value = fields.values[name];
  if (!value.is_array()) return {wordsOf(fields, name, line)};
  if (fields.written.at(name).size() < value.size())
    throw Wrong(fields.line(name, line), std::string(name) + ": a list of words is expected");
  return fields.written.at(name);
}

// The fields of a step that are no part of its patch.
constexpr std::array ownFields{"reveal",    "cover", "highlight", "outline", "answer",
                               "tolerance", "why",   "hint",      "claim",   "until"};
constexpr std::array outlines{"input", "map", "stage", "views", "timeline"};

// What patches of nothing but words do not tell: whether it can be applied at all.
void checkPatch(const Json& patch, int line) {
  Workspace workspace;
  if (Status applied = applyLessonPatch(workspace, patch.dump()); !applied)
    throw Wrong(line, applied.error().message());
}

// What of the window; "yes" means the stage and what comes next.
Cover coverIn(const Fields& fields, int above) {
  constexpr std::pair<const char*, bool Cover::*> parts[] = {{"stage", &Cover::stage},
                                                             {"next", &Cover::next},
                                                             {"numbers", &Cover::numbers},
                                                             {"cells", &Cover::cells},
                                                             {"tokens", &Cover::tokens}};
  Cover cover;
  if (!fields.has("cover")) return cover;
  if (const Json& all = fields.values["cover"]; all.is_boolean())
    return {.stage = all.get<bool>(), .next = all.get<bool>()};
  for (const std::string& word : listOf(fields, "cover", above)) {
    const auto part =
        std::ranges::find(parts, word, [](const auto& known) { return std::string(known.first); });
    if (part == std::end(parts))
      throw Wrong(fields.line("cover", above),
                  "cover: yes, or a list of stage, next, numbers, cells and tokens");
    cover.*part->second = true;
  }
  return cover;
}

void readBlock(LessonStep& step, const std::string& yaml, int above) {
  const Fields fields = fieldsIn(yaml, above);
  step.lines = fields.lines;
  Json shown = Json::object();
  for (const auto& [name, value] : fields.values.items()) {
    if (isPatchField(name)) {
      checkPatch(Json{{name, value}}, fields.line(name, above));
      shown[name] = value;
    } else if (std::ranges::find(ownFields, name) == ownFields.end()) {
      std::string known = patchFieldNames();
      for (const char* own : ownFields) known += std::string(", ") + own;
      throw Wrong(fields.line(name, above), inQuotes(name) + " is not a field of a page; fields: " + known);
    }
  }
  step.shown = shown.dump();
  if (fields.has("reveal")) {
    if (!fields.values["reveal"].is_object())
      throw Wrong(fields.line("reveal", above), "reveal: fields of their own are expected");
    checkPatch(fields.values["reveal"], fields.line("reveal", above));
    step.revealed = fields.values["reveal"].dump();
  }
  step.covers = coverIn(fields, above);
  step.highlights = listOf(fields, "highlight", above);
  step.outline = wordsOf(fields, "outline", above);
  if (!step.outline.empty() && std::ranges::find(outlines, step.outline) == outlines.end())
    throw Wrong(fields.line("outline", above), "outline: input, map, stage, views or timeline");
  step.hints = listOf(fields, "hint", above);
  step.claims = listOf(fields, "claim", above);
  step.until = wordsOf(fields, "until", above);
}

void readQuestion(LessonStep& step, const Prose& prose, const Fields& fields, int line) {
  const std::string answer = wordsOf(fields, "answer", line);
  if (prose.choices.empty() && prose.blank.empty()) {
    for (const char* field : {"answer", "why"})
      if (fields.has(field))
        throw Wrong(fields.line(field, line), std::string(field) + ": the page has no question");
    return;
  }
  LessonQuestion question;
  if (prose.right.size() > 1)
    throw Wrong(line, "two choices are marked by [(X)]; a question has one correct answer");
  question.choices = prose.choices, question.answer = answer;
  question.right = prose.right.empty() ? -1 : prose.right.front();
  using Kind = LessonQuestion::Kind;
  if (prose.blank == "number")
    question.kind = Kind::Number;
  else if (prose.blank == "token")
    question.kind = Kind::Token;
  else if (prose.blank == "cell")
    question.kind = Kind::Cell;
  else if (prose.blank == "bars")
    question.kind = Kind::Bars;
  else if (!prose.blank.empty())
    throw Wrong(line, "[[" + excerpt(prose.blank, 40) + "]]: number, token, cell or bars is expected");
  const bool needsChoices = question.kind == Kind::Choice || question.kind == Kind::Bars;
  if (needsChoices && question.choices.size() < 2) throw Wrong(line, "a question has two choices at least");
  if (!needsChoices && !question.choices.empty())
    throw Wrong(line, "a question has choices, or [[" + prose.blank + "]], not both");
  if (question.right < 0 && answer.empty())
    throw Wrong(line, "the question has no answer: mark a choice by [(X)], or write answer: and a measure");
  if (question.right >= 0 && !answer.empty()) throw Wrong(line, "the question has two answers");
  if (fields.has("tolerance")) {
    const Json& tolerance = fields.values["tolerance"];
    if (!tolerance.is_number() || !(tolerance.get<double>() >= 0))
      throw Wrong(fields.line("tolerance", line), "tolerance: a number from 0 is expected");
    question.tolerance = tolerance.get<float>();
  }
  question.why = wordsOf(fields, "why", line);
  step.question = std::move(question);
}

LessonStep stepIn(std::span<const LessonLine> lines) {
  LessonStep step;
  step.line = lines.front().number;
  std::string prose, yaml;
  int above = step.line;
  bool inBlock = false, hadBlock = false, inNote = false;
  for (const LessonLine& line : lines) {
    if (inBlock) {
      inBlock = line.bare() != "```";
      if (inBlock) yaml += std::string(line.text) + "\n";
    } else if (line.bare() == "```glassformer") {
      if (hadBlock) throw Wrong(line.number, "a step has one block, and this is another");
      inBlock = hadBlock = true;
      above = line.number;
    } else if (inNote || line.text.starts_with("Note:")) {
      const std::string_view words = inNote ? line.text : line.text.substr(5);
      step.note += std::string(step.note.empty() ? "" : "\n") +
                   std::string(words.substr(std::min(words.find_first_not_of(' '), words.size())));
      inNote = true;
    } else {
      prose += std::string(line.text) + "\n";
    }
  }
  if (inBlock) throw Wrong(above, "the block has no end: ```");
  while (step.note.ends_with('\n')) step.note.pop_back();
  readBlock(step, yaml, above);
  const auto read = readProse(prose);
  if (!read) throw Wrong(step.line, read.error().message());
  step.prose = read->paragraphs;
  readQuestion(step, *read, fieldsIn(yaml, above), step.line);
  if (step.prose.empty()) throw Wrong(step.line, "the page has no text");
  return step;
}

// Where steps end: at lines of three dashes outside of blocks.
std::vector<std::span<const LessonLine>> parted(std::span<const LessonLine> lines) {
  std::vector<std::span<const LessonLine>> parts;
  bool inBlock = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= lines.size(); ++i) {
    if (i < lines.size() && lines[i].text.starts_with("```")) inBlock = !inBlock;
    if (i < lines.size() && (inBlock || lines[i].bare() != "---")) continue;
    parts.push_back(lines.subspan(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

bool isBlank(std::span<const LessonLine> lines) {
  return std::ranges::all_of(lines, [](const LessonLine& line) {
    return line.text.find_first_not_of(" \t") == std::string_view::npos;
  });
}

void readFrontMatter(Lesson& lesson, std::span<const LessonLine> lines) {
  std::string yaml;
  for (const LessonLine& line : lines) yaml += std::string(line.text) + "\n";
  const int above = lines.empty() ? 1 : lines.front().number - 1;
  const Fields fields = fieldsIn(yaml, above);
  for (const auto& [name, line] : fields.lines)
    if (name != "title" && name != "audience" && name != "minutes" && name != "model")
      throw Wrong(line,
                  inQuotes(name) + " is not a field of a lesson; fields: title, audience, minutes, model");
  lesson.title = wordsOf(fields, "title", above);
  if (lesson.title.empty()) throw Wrong(1, "the lesson has no title");
  lesson.audience = wordsOf(fields, "audience", above);
  lesson.model = wordsOf(fields, "model", above, "stories");
  if (fields.has("minutes")) {
    if (!fields.values["minutes"].is_number_integer())
      throw Wrong(fields.line("minutes", above), "minutes: a whole number is expected");
    lesson.minutes = std::clamp(fields.values["minutes"].get<int>(), 0, 999);
  }
}

}  // namespace

Result<Lesson> readLesson(const std::string& text) try {
  if (text.size() > longestLesson)
    return Error{"a lesson of " + std::to_string(text.size() >> 20) + " MiB; the longest that is read has 1",
                 "", ""};
  if (!isValidUtf8(text)) return Error{"not a UTF-8 text", "", ""};
  const std::vector<LessonLine> lines = linesOf(withoutMark(text));
  if (lines.front().bare() != "---") throw Wrong(1, "front matter is expected: --- and a title");
  const auto parts = parted(lines);
  if (parts.size() < 3) throw Wrong(1, "the front matter has no end, or no page follows it: ---");
  Lesson lesson;
  readFrontMatter(lesson, parts[1]);
  for (std::size_t i = 2; i < parts.size(); ++i)
    if (!isBlank(parts[i])) lesson.steps.push_back(stepIn(parts[i]));
  if (lesson.steps.empty()) throw Wrong(static_cast<int>(lines.size()), "the lesson has no step");
  if (lesson.stepCount() > mostSteps)
    throw Wrong(static_cast<int>(lines.size()),
                "the lesson has more than " + std::to_string(mostSteps) + " steps");
  return lesson;
} catch (const Wrong& wrong) {
  return Error{wrong.what(), "line " + std::to_string(wrong.line), ""};
}

bool isLessonFile(const std::filesystem::path& file) {
  if (endingOf(file) != ".md") return false;
  std::ifstream in(file);
  std::string first;
  return (std::getline(in, first) && withoutMark(first).starts_with("---")) || isLectureFile(file);
}

Result<Lesson> readLessonFile(const std::filesystem::path& file) {
  const auto text = readTextFile(file, longestLesson * 16);
  if (!text) return text.error();
  auto lesson = readLesson(*text);
  if (!lesson) {
    Error error = lesson.error();
    error.where = file.string() + (error.where.empty() ? "" : ", " + error.where);
    return error;
  }
  lesson->file = file;
  lesson->id = file.stem().string();
  return lesson;
}

}  // namespace glassformer
