#pragma once
#include <filesystem>
#include <memory>
#include <span>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// A lecture is a lesson made of steps of the lessons that ship, so whatever walks through a lesson walks
/// through it. Its file is a plan in Markdown that can be read anywhere: a title, a paragraph, and a table
/// with a topic in each row.
///
///   | min | topic | show | slips to point out |
///   |---|---|---|---|
///   | 6 | heads | 05_heads 1-6, 06_block 4-4 | each output has n rows |
///
/// A topic begins in the state that its lesson has there. Its slips stand in the note for the speaker.
bool isLectureFile(const std::filesystem::path& file);

/// An error says line and field: a lesson or a step that is not there, a row that shows nothing.
Result<Lesson> readLectureFile(const std::filesystem::path& file,
                               std::span<const std::shared_ptr<const Lesson>> lessons);

}  // namespace glassformer
