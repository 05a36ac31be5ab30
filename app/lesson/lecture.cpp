#include "app/lesson/lecture.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t longestPlan = 1 << 16;
constexpr const char* tableHead = "| min | topic | show |";

using Lessons = std::span<const std::shared_ptr<const Lesson>>;

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r");
  return std::string(text.substr(begin, end == text.npos ? 0 : end + 1 - begin));
}

// Without the signs of Markdown.
std::string plain(std::string text) {
  std::erase_if(text, [](char c) { return c == '*' || c == '`'; });
  return text;
}

// "| a | b |": a and b.
std::vector<std::string> cellsOf(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

// Another step of the lesson; the first one of a range begins from the lesson's model, with all that came
// before it there.
void addSteps(Lesson& lecture, const Lesson& from, int first, int last, const std::string& topic) {
  for (int i = first; i <= last; ++i) {
    LessonStep step = from.steps[static_cast<std::size_t>(i)];
    step.topic = topic;
    if (i == first) {
      step.begins = from.model;
      for (int k = 0; k < first; ++k) {
        const LessonStep& left = from.steps[static_cast<std::size_t>(k)];
        step.before.insert(step.before.end(), {left.shown, left.revealed});
      }
    }
    lecture.steps.push_back(std::move(step));
  }
}

// "06_block 1-2, 07_positions 1-4"; an error says why not.
Status addShown(Lesson& lecture, const std::string& shown, const std::string& topic, Lessons lessons) {
  static const std::regex range("([0-9a-z_]+) ([0-9]{1,3})-([0-9]{1,3})");
  std::istringstream in(shown);
  for (std::string part; std::getline(in, part, ',');) {
    std::smatch found;
    part = trimmed(part);
    if (!std::regex_match(part, found, range))
      return Error{inQuotes(part) + " names no steps; \"06_block 1-2\" is expected", "", ""};
    const auto lesson = std::ranges::find(lessons, found[1].str(), [](const auto& each) { return each->id; });
    if (lesson == lessons.end()) return Error{"no lesson " + inQuotes(found[1].str()), "", ""};
    const int first = std::stoi(found[2]), last = std::stoi(found[3]), count = (*lesson)->stepCount();
    if (first < 1 || last < first || last > count)
      return Error{part + ": the lesson has steps 1 to " + std::to_string(count), "", ""};
    addSteps(lecture, **lesson, first - 1, last - 1, topic);
  }
  return success();
}

// A row of the table: minutes, topic, steps, slips.
Status addTopic(Lesson& lecture, const std::string& row, Lessons lessons) {
  const std::vector<std::string> cells = cellsOf(row);
  int minutes = 0;
  if (cells.size() < 4 ||
      std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), minutes).ec != std::errc() ||
      minutes < 1 || minutes > 600)
    return Error{"minutes, topic, steps and slips are expected", "", ""};
  const auto first = lecture.steps.size();
  lecture.minutes += minutes;
  if (Status added = addShown(lecture, cells[2], plain(cells[1]), lessons); !added) return added;
  if (lecture.steps.size() == first) return Error{"the topic shows no step", "", ""};
  for (auto i = first; i < lecture.steps.size(); ++i) lecture.steps[i].endsAt = lecture.minutes;
  if (cells[3].empty()) return success();
  std::string& note = lecture.steps[first].note;
  note = "A slip to point out: " + plain(cells[3]) + "." + (note.empty() ? "" : "\n\n") + note;
  return success();
}

Result<Lesson> readLecture(const std::string& text, Lessons lessons) {
  if (!isValidUtf8(text)) return Error{"not a UTF-8 text", "", ""};
  Lesson lecture;
  std::istringstream in(text);
  int number = 0;
  bool inTable = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = trimmed(line);
    if (line.starts_with(tableHead))
      inTable = true;
    else if (line.starts_with("# "))
      lecture.title = line.substr(2);
    else if (!inTable && !line.empty())
      lecture.audience += (lecture.audience.empty() ? "" : " ") + line;
    else if (inTable && line.starts_with("|") && !line.starts_with("|-"))
      if (const Status added = addTopic(lecture, line, lessons); !added)
        return Error{added.error().message(), "line " + std::to_string(number), ""};
  }
  if (lecture.steps.empty()) return Error{"the plan has no topic", "", ""};
  lecture.audience = lecture.audience.substr(0, lecture.audience.find_first_of(":."));
  lecture.model = lecture.steps.front().begins;
  return lecture;
}

}  // namespace

bool isLectureFile(const fs::path& file) {
  if (endingOf(file) != ".md") return false;
  std::ifstream in(file);
  int lines = 0;
  for (std::string line; lines < 40 && std::getline(in, line); ++lines)
    if (line.starts_with(tableHead)) return true;
  return false;
}

Result<Lesson> readLectureFile(const fs::path& file, Lessons lessons) {
  const auto text = readTextFile(file, longestPlan);
  if (!text) return text.error();
  auto lecture = readLecture(*text, lessons);
  if (!lecture) {
    Error error = lecture.error();
    error.where = file.string() + (error.where.empty() ? "" : ", " + error.where);
    return error;
  }
  lecture->file = file;
  lecture->id = "lecture_" + file.stem().string();
  return lecture;
}

}  // namespace glassformer
