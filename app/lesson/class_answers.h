#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"
#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// What a class answered to a lesson, as files that can be handed in and put behind one another: a line
/// "glassformer answers,LESSON" for each person, then "STEP,VALUE,..." for each prediction, steps counted
/// from 1, values as Guess has them.
struct ClassAnswers {
  std::string lesson;  ///< the name of one that ships; of another one its file's
  int people = 0;
  std::map<int, std::vector<std::vector<float>>> bySteps;  ///< steps counted from 0
  std::map<int, int> lines;                                ///< where a step is first answered
};

/// What a file of answers calls a lesson.
std::string handedInName(const Lesson& lesson);
/// The predictions that were made.
std::string answersFile(const Lesson& lesson, const LessonProgress& progress);
/// By its first line.
bool isAnswersFile(const std::filesystem::path& file);
/// Refuses what is damaged, naming the line.
Result<ClassAnswers> readAnswers(const std::filesystem::path& file);
Result<ClassAnswers> parseAnswers(const std::string& text, const std::string& name);
/// Whether the lesson asks what they answer: such steps, and as many values.
Status fitsLesson(const ClassAnswers& answers, const Lesson& lesson);

/// How many there may be of one step.
inline constexpr std::size_t mostAnswers = 10'000;

namespace commands {

/// Adds them to what the room has answered to the open lesson.
Command addAnswers(ClassAnswers answers);
/// Lets go of the room's answers to a step.
Command forgetAnswers(int step);

}  // namespace commands
}  // namespace glassformer
