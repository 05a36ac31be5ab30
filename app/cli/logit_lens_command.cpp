#include "app/cli/logit_lens_command.h"

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/drawing/place_names.h"
#include "core/lens/lens_grid.h"
#include "core/model/live_pass.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

class LensTable {
 public:
  LensTable(const LoadedModel& model, const Trace& trace, const TensorSet& grid)
      : model_(model), trace_(trace), grid_(grid) {}

  int places() const { return grid_[lens_grid::token].extent[0]; }
  int tokens() const { return grid_[lens_grid::token].extent[1]; }
  // Nothing comes before the embedding, which promotes nothing.
  Json cell(int place, int t) const {
    const int read = trace_.tokens()[static_cast<std::size_t>(t)];
    Json cell{{"position", t},
              {"token", model_.tokenizer->tokenLabel(read)},
              {"place", placeLabel(model_.transformer->config(), place)}};
    const auto put = [&](const char* name, const char* token, const char* number, const char* value) {
      const int entry = static_cast<int>(grid_[token](place, t));
      if (entry >= 0) cell[name] = model_.tokenizer->tokenLabel(entry), cell[number] = grid_[value](place, t);
    };
    put("likeliest", lens_grid::token, "probability", lens_grid::probability);
    put("promoted", lens_grid::promoted, "promotion", lens_grid::promotion);
    put("suppressed", lens_grid::suppressed, "suppression", lens_grid::suppression);
    return cell;
  }

 private:
  const LoadedModel& model_;
  const Trace& trace_;
  const TensorSet& grid_;
};

constexpr CsvColumn lensColumns[]{{"position", "/position"},
                                  {"token", "/token"},
                                  {"place", "/place"},
                                  {"likeliest", "/likeliest"},
                                  {"probability", "/probability"},
                                  {"promoted", "/promoted"},
                                  {"promotion", "/promotion"},
                                  {"suppressed", "/suppressed"},
                                  {"suppression", "/suppression"}};

// Of every place behind every token, or behind one.
Json cellsOf(const LensTable& table, std::optional<int> only) {
  Json cells = Json::array();
  for (int t = 0; t < table.tokens(); ++t)
    for (int place = 0; place < table.places() && (!only || *only == t); ++place)
      cells.push_back(table.cell(place, t));
  return cells;
}

}  // namespace

Status LogitLensCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const auto changes = interventions.of(loaded->transformer);
  if (!changes) return changes.error();
  const TabText read = writingFor(model, text, source);
  const auto prompt = promptOf(*loaded->tokenizer, loaded->transformer->config(), read.text, read.source);
  if (!prompt) return prompt.error();
  const int last = static_cast<int>(prompt->tokens.size()) - 1;
  if (token && *token > last)
    return Error{"no token " + std::to_string(*token), "--token",
                 "the text's go from 0 to " + std::to_string(last)};
  LivePass live(loaded->transformer);
  if (Status fits = live.checkMemory(prompt->tokens.size(), prompt->source.size()); !fits) return fits;
  const auto trace = live.run(prompt->tokens, *changes, prompt->source);
  TensorSet grid;
  measureLensGrid(*loaded->transformer, *trace, grid,
                  percentLines(stderr, "reading every position", std::chrono::seconds(1)));
  const Json cells = cellsOf({*loaded, *trace, grid}, token);
  Question question = askedOf(*loaded, choices, read, *changes);
  question.position = token.value_or(-1), question.metric = "probability, log probability";
  printTold(json ? Printed::Json : Printed::Csv, {{"model", loaded->name}, {"cells", cells}}, cells,
            lensColumns, question);
  return success();
}

}  // namespace glassformer
