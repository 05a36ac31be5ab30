#include "app/cli/why_command.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/cell_words.h"
#include "app/cli/choices_option.h"
#include "app/cli/computed.h"
#include "app/cli/prompt.h"
#include "app/document/model_commands.h"
#include "app/drawing/scene_input.h"
#include "app/explain/provenance.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

class Opened {
 public:
  Opened(const Snapshot& snapshot, int terms)
      : snapshot_(snapshot), sources_(sourcesOf(snapshot)), terms_(terms) {}

  Json of(const TensorRef& cell, int depth) const {
    const auto number = namedNumber(snapshot_, cell);
    Json json{{"number", number->point->name + indexWords(*number->point, cell)}, {"value", number->value}};
    if (!number->point->meaning.empty()) json["meaning"] = number->point->meaning;
    if (!number->point->equation.empty()) json["equation"] = number->point->equation;
    if (number->isWeight) json["weight"] = true;
    const auto provenance = depth > 0 && !number->isWeight ? provenanceOf(sources_, cell) : std::nullopt;
    if (!provenance) return json;
    const Derivation& derivation = provenance->derivation;
    json["form"] = nameOf(derivation.form);
    json["from_terms"] = derivation.value();
    const std::size_t listed = std::min(derivation.terms.size(), static_cast<std::size_t>(terms_));
    for (std::size_t i = 0; i < listed; ++i) json["terms"].push_back(termOf(derivation.terms[i], depth - 1));
    if (listed == derivation.terms.size()) return json;
    json["others"]["count"] = derivation.terms.size() - listed;
    if (addsUp(derivation.form)) json["others"]["sum"] = provenance->sumFrom(listed);
    return json;
  }

 private:
  Json termOf(const Term& term, int depth) const {
    Json json{{"value", term.value()}};
    if (term.coefficient != 1) json["coefficient"] = term.coefficient;
    for (const Operand& operand : operandsOf(sources_, term))
      json["factors"].push_back(operand.cell.empty() ? Json{{"value", operand.value}}
                                                     : of(operand.cell, depth));
    return json;
  }

  const Snapshot& snapshot_;
  TensorSources sources_;
  int terms_;
};

void print(const Json& number, int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  std::printf("%s%s = %.6g%s\n", space.c_str(), number.value("number", std::string("(no name)")).c_str(),
              number["value"].get<double>(), number.contains("weight") ? "  (weight)" : "");
  if (indent == 0 && number.contains("equation"))
    std::printf("%s\n", number["equation"].get<std::string>().c_str());
  if (!number.contains("terms")) return;
  std::printf(
      "%s  %s of %zu terms, which give %.6g:\n", space.c_str(), number["form"].get<std::string>().c_str(),
      number["terms"].size() + (number.contains("others") ? number["others"]["count"].get<std::size_t>() : 0),
      number["from_terms"].get<double>());
  for (const Json& term : number["terms"]) {
    std::printf("%s  %12.6g", space.c_str(), term["value"].get<double>());
    if (term.contains("coefficient")) std::printf("  %.6g", term["coefficient"].get<double>());
    std::printf("\n");
    if (term.contains("factors"))
      for (const Json& factor : term["factors"]) print(factor, indent + 6);
  }
  if (!number.contains("others")) return;
  const Json& others = number["others"];
  if (others.contains("sum"))
    std::printf("%s  %12.6g  %zu others\n", space.c_str(), others["sum"].get<double>(),
                others["count"].get<std::size_t>());
  else
    std::printf("%s  %zu others\n", space.c_str(), others["count"].get<std::size_t>());
}

}  // namespace

Status WhyCommand::run(const ModelLibrary& library) const {
  const auto written = parsedCell(number, "why");
  if (!written) return written.error();
  if (const auto found = library.find(model); !found)
    return found.error();  // a trace from elsewhere: it cannot say
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  if (!text.empty() || !source.empty()) workspace.text = text, workspace.source = source;
  const auto changes = parseChanges(choices);
  if (!changes) return changes.error();
  workspace.changes = *changes;
  if (!interventions.isEmpty()) {
    const auto loaded = loadChanged(library, model, choices);
    if (!loaded) return loaded.error();
    auto asked = interventions.of(loaded->transformer->config());
    if (!asked) return asked.error();
    workspace.interventions = *std::move(asked);
  }
  const auto done = computed(library, workspace);
  if (!done) return done.error();
  const Snapshot& snapshot = **done;
  if (const Status reads = checkSource(*snapshot.model->config, snapshot.pass->source); !reads)
    return reads.error();
  if (!snapshot.pass->hasTrace()) return Error{"there is no text to read", "why", "give one with --text"};
  const TracePoint* point = sourcesOf(snapshot).point(written->tensor);
  if (!point)
    return Error{"the pass has no " + inQuotes(written->tensor), "why",
                 "`glassformer trace` writes all that it has"};
  const TensorRef cell{.tensor = written->tensor, .index = written->index};
  if (static_cast<std::size_t>(written->given) != point->letters.size() || !namedNumber(snapshot, cell))
    return Error{
        inQuotes(number) + " is outside of it", "why",
        point->name + " has " + std::to_string(point->letters.size()) + " dimensions, " + point->letters};
  const Json opened = Opened(snapshot, terms).of(cell, depth);
  if (json)
    std::printf("%s\n", opened.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else
    print(opened, 0);
  return success();
}

}  // namespace glassformer
