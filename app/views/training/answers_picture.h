#pragma once
#include "app/views/training/training_picture.h"

namespace glassformer {

/// Of a question that is longer than the room, what stands before its gap, or its end, where that is asked.
std::string aroundQuestion(const TextMetrics& metrics, const std::string& words, TextStyle style, float room);

/// Held-out questions, what the model says, and what is right.
void drawAnswersPicture(TrainingPicture& picture, Box area);

}  // namespace glassformer
