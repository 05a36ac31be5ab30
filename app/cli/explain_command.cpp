#include "app/cli/explain_command.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/cell_words.h"
#include "app/cli/choices_option.h"
#include "app/cli/computed.h"
#include "app/cli/head_option.h"
#include "app/cli/json_lines.h"
#include "app/cli/prompt.h"
#include "app/document/attribution_settings.h"
#include "app/document/effect_settings.h"
#include "app/document/influence_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/model_commands.h"
#include "app/document/rule_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/taken_apart.h"
#include "app/document/view_commands.h"
#include "app/drawing/scene_input.h"
#include "app/engine/dataset_metrics.h"
#include "app/engine/rule_numbers.h"
#include "app/engine/token_ids.h"
#include "app/explain/other_passes.h"
#include "app/scene/format.h"
#include "app/views/steps/slips_picture.h"
#include "app/views/views.h"
#include "core/io/checksum.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

class Opened {
 public:
  Opened(const Snapshot& snapshot, int terms) : shown_(snapshot), terms_(terms) {}

  Json of(const TensorRef& cell, int depth) const {
    if (!comparesPasses(shown_, cell)) return of(cell, depth, {}, -1);
    const OpenedAcross opened = openedAcross(shown_, cell);
    return of(cell, depth, opened, -1);
  }

 private:
  const Snapshot& in(const OpenedAcross& opened, int pass) const {
    return pass < 0 ? shown_ : *opened.passes[static_cast<std::size_t>(pass)];
  }
  // What one opens is of one pass, or compares those that were opened.
  std::optional<Provenance> made(const TensorRef& cell, const OpenedAcross& opened, int pass) const {
    if (pass < 0 && comparesPasses(shown_, cell)) return opened.provenance;
    return provenanceOf(sourcesOf(in(opened, pass)), cell);
  }

  Json of(const TensorRef& cell, int depth, const OpenedAcross& opened, int pass) const {
    const Snapshot& snapshot = in(opened, pass);
    const auto number = namedNumber(snapshot, cell);
    Json json{{"number", number->point->name + indexWords(*number->point, cell)}, {"value", number->value}};
    if (!snapshot.pass->name.empty()) json["pass"] = snapshot.pass->name;
    if (!number->point->meaning.empty()) json["meaning"] = number->point->meaning;
    if (!number->point->equation.empty()) json["equation"] = number->point->equation;
    if (number->isWeight) json["weight"] = true;
    const auto provenance = depth > 0 && !number->isWeight ? made(cell, opened, pass) : std::nullopt;
    if (!provenance) return json;
    const Derivation& derivation = provenance->derivation;
    json["form"] = nameOf(derivation.form);
    json["from_terms"] = derivation.value();
    const std::size_t listed = std::min(derivation.terms.size(), static_cast<std::size_t>(terms_));
    for (std::size_t i = 0; i < listed; ++i)
      json["terms"].push_back(termOf(derivation.terms[i], depth - 1, opened, pass));
    if (listed == derivation.terms.size()) return json;
    json["others"]["count"] = derivation.terms.size() - listed;
    if (addsUp(derivation.form)) json["others"]["sum"] = provenance->sumFrom(listed);
    return json;
  }

  Json termOf(const Term& term, int depth, const OpenedAcross& opened, int pass) const {
    Json json{{"value", term.value()}};
    if (term.coefficient != 1) json["coefficient"] = term.coefficient;
    for (const Cell cell : {term.factor, term.other}) {
      if (!cell) continue;
      const auto [operand, its] = operandOf(shown_, opened, pass, cell);
      const bool isAcross = its < 0 && !operand.cell.empty() && comparesPasses(shown_, operand.cell);
      json["factors"].push_back(operand.cell.empty() ? Json{{"value", operand.value}}
                                : isAcross           ? of(operand.cell, depth)
                                                     : of(operand.cell, depth, opened, its));
    }
    return json;
  }

  const Snapshot& shown_;
  int terms_;
};

// In words where there is none.
std::string valueWords(const std::string& name, double value) {
  if (std::isnan(value)) return formattedValue(name.substr(0, name.find('[')), static_cast<float>(value));
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.6g", value);
  return digits.data();
}

void print(const Json& number, int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  const std::string name = number.value("number", std::string("(no name)"));
  const std::string pass = number.contains("pass") ? "  in: " + number["pass"].get<std::string>() : "";
  std::printf("%s%s = %s%s%s\n", space.c_str(), name.c_str(),
              valueWords(name, number["value"].get<double>()).c_str(),
              number.contains("weight") ? "  (weight)" : "", pass.c_str());
  if (indent == 0 && number.contains("equation"))
    std::printf("%s\n", number["equation"].get<std::string>().c_str());
  if (number.value("form", std::string()) == nameOf(Form::Masked) && !number.contains("terms"))
    std::printf("%s  masked: the mask hides this key\n", space.c_str());
  if (!number.contains("terms")) return;
  const auto others = number.contains("others") ? number["others"]["count"].get<std::int64_t>() : 0,
             all = static_cast<std::int64_t>(number["terms"].size()) + others;
  std::printf("%s  %s of %s, which %s %.6g:\n", space.c_str(), number["form"].get<std::string>().c_str(),
              countWords(all, "term").c_str(), all == 1 ? "gives" : "give",
              number["from_terms"].get<double>());
  for (const Json& term : number["terms"]) {
    std::printf("%s  %12.6g", space.c_str(), term["value"].get<double>());
    if (term.contains("coefficient")) std::printf("  %.6g", term["coefficient"].get<double>());
    std::printf("\n");
    if (term.contains("factors"))
      for (const Json& factor : term["factors"]) print(factor, indent + 6);
  }
  if (others == 0) return;
  const std::string words = countWords(others, "other");
  if (number["others"].contains("sum"))
    std::printf("%s  %12.6g  %s\n", space.c_str(), number["others"]["sum"].get<double>(), words.c_str());
  else
    std::printf("%s  %s\n", space.c_str(), words.c_str());
}

// The terms of a number, then those of what made them, each with what it is a term of.
Json termRows(const Json& number) {
  Json rows = Json::array();
  if (!number.contains("terms")) return rows;
  const auto put = [&](Json row) {
    row["of"] = number.value("number", "");
    rows.push_back(std::move(row));
  };
  for (const Json& term : number["terms"]) put(term);
  if (number.contains("others"))
    put({{"value", number["others"].value("sum", Json())},
         {"factors", {{{"number", countWords(number["others"]["count"].get<std::int64_t>(), "other")}}}}});
  for (const Json& term : number["terms"])
    for (const Json& factor : term.value("factors", Json::array()))
      for (Json& row : termRows(factor)) rows.push_back(std::move(row));
  return rows;
}
constexpr CsvColumn termColumns[]{{"of", "/of"},
                                  {"value", "/value"},
                                  {"coefficient", "/coefficient"},
                                  {"factor", "/factors/0/number"},
                                  {"factor_value", "/factors/0/value"},
                                  {"other_factor", "/factors/1/number"},
                                  {"other_factor_value", "/factors/1/value"}};

// Numbers that compare passes are measured for the picture that shows them.
void showPictureOf(const std::string& tensor, Workspace& workspace) {
  struct MeasuredFor {
    const char *begins, *picture, *view = "influence";
  };
  static constexpr MeasuredFor pictures[] = {{"causal.", "leave out"},
                                             {"patch.", "patch"},
                                             {"change.", "smallest change"},
                                             {"edges.", "edges"},
                                             {"effects.", "many texts"},
                                             {"lens.leaks", "matrix"},
                                             {"lens.score_", "why", "attention"},
                                             {"lens.output_", "why", "attention"},
                                             {"lens.grid_", "lens", "next_token"},
                                             {"lens.influence_", "matrix"},
                                             {"lens.embedding_gradient", "sentence"},
                                             {"lens.gradient_q", "gradients"},
                                             {"lens.gradient_k", "gradients"},
                                             {"lens.gradient_v", "gradients"},
                                             {"lens.gradient_", "gradient", "residual"},
                                             {"gradient.", "both ends", "tokens"},
                                             {"best.", "search", "beam"},
                                             {"beam.", "search", "beam"},
                                             {"paths.", "branches", "beam"},
                                             {"strategies.", "strategies", "next_token"},
                                             {"drafting.", "draft", "next_token"},
                                             {"cache.", "cache", "cost"},
                                             {"steps.", "one by one", "cost"},
                                             {"lens.serial_steps", "unrolled", "cost"},
                                             {"unembedding.", "unembedding", "tokens"},
                                             {"lens.position_", "scores", "positions"},
                                             {"positions.shift_", "shift", "positions"},
                                             {"lens.slip.", "slips", "step"},
                                             {"hypothesis.", "hypothesis", "attention"}};
  for (const auto& [begins, picture, view] : pictures)
    if (tensor.starts_with(begins)) {
      commands::choosePicture(view, picture).apply(workspace);
      break;
    }
  ViewSettings& settings = workspace.settings;
  if (tensor.starts_with("lens.leaks")) settings.choose(matrixChoice, leaksShown);
  if (tensor.starts_with("lens.slip.")) settings.choose(slipChoice, tensor.substr(tensor.rfind('.') + 1));
  if (tensor.starts_with("lens.output_")) settings.choose(takenApartChoice, outputTakenApart);
  if (tensor == bench::recovered || tensor == bench::worth) settings.choose(benchNumber, benchRecovered);
  if (tensor.starts_with("causal.") && tensor.ends_with("_at")) settings.choose(leftOutAt, leftOutByPosition);
  for (const DatasetMetric& measure : datasetMetrics())
    for (const std::string& name : {measure.mean(), measure.spread(), measure.here(), measure.texts()})
      if (tensor == name) settings.choose(effectNumber, measure.id);
}

}  // namespace

Status ExplainCommand::select(Workspace& workspace) const {
  if (head)
    if (Status chosen = chooseHead(workspace.selection, *head); !chosen) return chosen;
  const AttentionSite site = workspace.selection.site;
  if (token) commands::selectQuery(*token, queriesOf(site)).apply(workspace);
  if (key) commands::selectCell(workspace.selection.queryIn(queriesOf(site)), *key, site).apply(workspace);
  return success();
}

// Whose logit is asked about, and whose is subtracted.
Status ExplainCommand::chooseLogit(const ModelLibrary& library, Workspace& workspace) const {
  if (target.empty() && against.empty()) return success();
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  ViewSettings& settings = workspace.settings;
  if (!target.empty()) {
    const auto entry = tokenWritten(target, *loaded->tokenizer, "--target");
    if (!entry) return entry.error();
    settings.residual.entry = settings.influence.entry = *entry;
  }
  if (against.empty()) return success();
  const auto entry = tokenWritten(against, *loaded->tokenizer, "--contrast");
  if (!entry) return entry.error();
  settings.choose(subtractedChoice, std::to_string(*entry));
  return success();
}

Status ExplainCommand::checkSelected(const Workspace& workspace, const Snapshot& snapshot) const {
  if (head)
    if (Status there = checkHead(workspace.selection, *snapshot.model->config); !there) return there;
  const auto within = [&](const std::optional<int>& position, Stream stream, const char* option) -> Status {
    const int count = snapshot.pass->countOf(stream);
    if (!position || *position < count) return success();
    return Error{"no token " + std::to_string(*position), option,
                 "there are " + std::to_string(count) + ", counted from 0"};
  };
  if (chosenNumber(workspace.settings, subtractedChoice, -1) == snapshot.pass->attributedEntry)
    return Error{"is the target itself", "--contrast", "give another token, or none"};
  const AttentionSite site = workspace.selection.site;
  if (Status there = within(token, queriesOf(site), "--token"); !there) return there;
  return within(key, keysOf(site), "--key");
}

Status ExplainCommand::run(const ModelLibrary& library) const {
  const auto written = parsedCell(number, "explain");
  if (!written) return written.error();
  if (const auto found = library.find(model); !found)
    return found.error();  // a trace from elsewhere: it cannot say
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  const TabText read = writingFor(model, text, source);
  workspace.text = read.text, workspace.source = read.source;
  if (!compare.empty()) {
    workspace.tab = 0, workspace.aside = {TabText(compare, workspace.source)};
    workspace.comparison = {OtherText{1}, ComparisonMode::SideBySide};
  }
  showPictureOf(written->tensor, workspace);
  if (Status chosen = select(workspace); !chosen) return chosen.error();
  if (Status chosen = chooseLogit(library, workspace); !chosen) return chosen.error();
  const auto changes = parseChanges(choices);
  if (!changes) return changes.error();
  workspace.changes = *changes;
  if (!interventions.isEmpty()) {
    const auto loaded = loadChanged(library, model, choices);
    if (!loaded) return loaded.error();
    auto asked = interventions.of(loaded->transformer);
    if (!asked) return asked.error();
    workspace.interventions = *std::move(asked);
  }
  const auto done = computed(library, workspace, stderr);
  if (!done) return done.error();
  const Snapshot& snapshot = **done;
  if (Status reads = checkSource(*snapshot.model->config, snapshot.pass->source); !reads)
    return reads.error();
  if (!snapshot.pass->hasTrace()) return Error{"the text is missing", "explain", "give one with --text"};
  if (Status there = checkSelected(workspace, snapshot); !there) return there.error();
  const TracePoint* point = sourcesOf(snapshot).point(written->tensor);
  if (!point)
    return Error{"the pass has no " + inQuotes(written->tensor), "explain",
                 "`glassformer trace` writes all of its trace points"};
  const TensorRef cell{.tensor = written->tensor, .index = written->index};
  if (static_cast<std::size_t>(written->given) != point->letters.size() || !namedNumber(snapshot, cell))
    return Error{
        inQuotes(number) + " is outside of its range", "explain",
        point->name + " has " + std::to_string(point->letters.size()) + " dimensions, " + point->letters};
  const Json opened = Opened(snapshot, terms).of(cell, depth);
  if (!json && !csv) return print(opened, 0), success();
  Question question = questionOf(workspace, snapshot, neededFor(workspace));
  question.weights = checksumOf(snapshot.model->transformer->parameters());
  printTold(printedAs(json, csv), opened, termRows(opened), termColumns, question);
  return success();
}

}  // namespace glassformer
