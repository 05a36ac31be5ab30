#pragma once
#include <string>
#include <vector>

#include "app/document/tab_text.h"
#include "app/engine/loaded_model.h"
#include "app/engine/question.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// The question of a command's numbers, as far as every command asks it: which weights read which text.
Question askedOf(const LoadedModel& model, const std::vector<std::string>& choices, const TabText& read,
                 const Interventions& standing = {});
/// And about which answer there, by which metric.
void askAbout(const AnswerMetric& answer, const std::vector<int>& tokens, const Tokenizer& tokenizer,
              Question& question);
/// "200 held-out texts of the task, seed 1", "12 lines of texts.txt", "200 repeats of random tokens, seed
/// 1".
std::string datasetWords(std::size_t texts, const char* kind, std::uint64_t seed);
std::string datasetWords(std::size_t texts, const std::string& file);

}  // namespace glassformer
