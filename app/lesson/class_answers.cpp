#include "app/lesson/class_answers.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/io/csv.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr const char* answersBegin = "glassformer answers,";
constexpr std::size_t longestAnswers = std::size_t{16} << 20, mostValues = 64;

std::vector<std::string> splitAtCommas(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

std::optional<float> finiteField(const std::string& field) {
  float value = 0;
  const char* const end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  return error == std::errc() && rest == end && isAnswer(value) ? std::optional(value) : std::nullopt;
}

std::size_t valuesAsked(const LessonQuestion& question) {
  if (question.kind == LessonQuestion::Kind::Cell) return 2;
  return question.kind == LessonQuestion::Kind::Bars ? question.choices.size() : 1;
}

// One line of answers, "3,0.5"; what is wrong with it otherwise.
std::string takeLine(const std::vector<std::string>& fields, int number, ClassAnswers& answers) {
  std::vector<float> values;
  for (const std::string& field : fields) {
    const auto value = finiteField(field);
    if (!value) return inQuotes(field) + " is not a number";
    values.push_back(*value);
  }
  if (values.size() < 2 || values.size() > mostValues) return "it has no step and values";
  const float step = values.front();
  if (step < 1 || step > 1000 || step != std::floor(step)) return inQuotes(fields.front()) + " is not a page";
  auto& all = answers.bySteps[static_cast<int>(step) - 1];
  if (all.size() == mostAnswers) return "more than " + std::to_string(mostAnswers) + " answers to one step";
  all.emplace_back(values.begin() + 1, values.end());
  answers.lines.emplace(static_cast<int>(step) - 1, number);
  return "";
}

}  // namespace

std::string handedInName(const Lesson& lesson) {
  return lesson.id.find('/') == std::string::npos ? lesson.id : lesson.file.filename().string();
}

std::string answersFile(const Lesson& lesson, const LessonProgress& progress) {
  std::string text = answersBegin + handedInName(lesson) + "\n";
  for (const auto& [step, guess] : progress.guesses) {
    if (!guess.isMade) continue;
    text += std::to_string(step + 1);
    for (const float value : guess.values) text += "," + csvNumber(value);
    text += "\n";
  }
  return text;
}

bool isAnswersFile(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string first;
  return std::getline(in, first) && first.starts_with(answersBegin);
}

Result<ClassAnswers> readAnswers(const std::filesystem::path& file) {
  const auto text = readTextFile(file, longestAnswers);
  return text ? parseAnswers(*text, file.string()) : text.error();
}

Result<ClassAnswers> parseAnswers(const std::string& text, const std::string& name) {
  ClassAnswers answers;
  std::istringstream lines(text);
  int number = 0;
  const auto wrong = [&](const std::string& what) {
    return Error{what, name + ", line " + std::to_string(number),
                 "a file of answers is written by Save my answers"};
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    if (line.starts_with(answersBegin)) {
      const std::string lesson = line.substr(std::string(answersBegin).size());
      if (answers.people > 0 && lesson != answers.lesson)
        return wrong("answers to " + inQuotes(lesson) + " among those to " + inQuotes(answers.lesson));
      answers.lesson = lesson, ++answers.people;
    } else if (const std::string what = takeLine(splitAtCommas(line), number, answers); !what.empty()) {
      return wrong(what);
    }
  }
  return answers;
}

Status fitsLesson(const ClassAnswers& answers, const Lesson& lesson) {
  for (const auto& [step, all] : answers.bySteps) {
    const auto wrong = [&, step = step](const std::string& what) {
      return Error{"step " + std::to_string(step + 1) + " of " + inQuotes(lesson.title) + " " + what,
                   "the answers, line " + std::to_string(answers.lines.at(step)), "was the lesson changed?"};
    };
    if (step >= lesson.stepCount()) return wrong("is not there");
    const auto& question = lesson.steps[static_cast<std::size_t>(step)].question;
    if (!question) return wrong("has no question");
    for (const std::vector<float>& values : all)
      if (values.size() != valuesAsked(*question))
        return wrong("asks for " + std::to_string(valuesAsked(*question)) + " numbers, not " +
                     std::to_string(values.size()));
  }
  return success();
}

namespace commands {

Command addAnswers(ClassAnswers answers) {
  return {[answers = std::move(answers)](Workspace& w) {
            for (const auto& [step, all] : answers.bySteps) {
              auto& room = w.lesson.room[step];
              const std::size_t more = std::min(all.size(), mostAnswers - std::min(mostAnswers, room.size()));
              room.insert(room.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(more));
            }
          },
          ""};
}

Command forgetAnswers(int step) {
  return {[step](Workspace& w) { w.lesson.room.erase(step); }, ""};
}

}  // namespace commands
}  // namespace glassformer
