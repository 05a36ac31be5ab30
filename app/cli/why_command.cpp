#include "app/cli/why_command.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

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

// "blocks.2.attn.hook_pattern[0, 9, 3]"
Result<TensorRef> parsedCell(const std::string& words) {
  const auto wrong = [&] {
    return Error{inQuotes(words) + " names no number", "why", "POINT[INDEX], such as \"logits[3, 7]\""};
  };
  const std::size_t open = words.find('[');
  if (open == std::string::npos || open == 0 || !words.ends_with(']')) return wrong();
  TensorRef cell;
  cell.tensor = words.substr(0, open);
  const char *at = words.data() + open + 1, *const end = words.data() + words.size() - 1;
  for (std::size_t d = 0; d < cell.index.size(); ++d) {
    while (at < end && *at == ' ') ++at;
    const auto [rest, error] = std::from_chars(at, end, cell.index[d]);
    if (error != std::errc()) return wrong();
    if (rest == end) return cell;
    if (*rest != ',') return wrong();
    at = rest + 1;
  }
  return wrong();
}

// A cell of a tensor with so many dimensions: no more and no fewer indices than it has.
bool fits(const TracePoint& point, const std::string& words) {
  return static_cast<std::size_t>(std::ranges::count(words, ',')) + 1 == point.letters.size();
}

std::string formName(Form form) {
  static constexpr const char* names[] = {"sum",    "function", "softmax",    "share", "largest",
                                          "masked", "spread",   "normalized", "gate"};
  return names[static_cast<int>(form)];
}

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
    json["form"] = formName(derivation.form);
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
  const auto cell = parsedCell(number);
  if (!cell) return cell.error();
  if (const auto found = library.find(model); !found)
    return found.error();  // a trace from elsewhere: it cannot say
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  if (!text.empty() || !source.empty()) workspace.text = text, workspace.source = source;
  const auto changes = parseChanges(choices);
  if (!changes) return changes.error();
  workspace.changes = *changes;
  const auto done = computed(library, workspace);
  if (!done) return done.error();
  const Snapshot& snapshot = **done;
  if (const Status reads = checkSource(*snapshot.model->config, snapshot.pass->source); !reads)
    return reads.error();
  if (!snapshot.pass->hasTrace()) return Error{"there is no text to read", "why", "give one with --text"};
  const TracePoint* point = sourcesOf(snapshot).point(cell->tensor);
  if (!point)
    return Error{"the pass has no " + inQuotes(cell->tensor), "why",
                 "`glassformer trace` writes all that it has"};
  if (!fits(*point, number) || !namedNumber(snapshot, *cell))
    return Error{
        inQuotes(number) + " is outside of it", "why",
        point->name + " has " + std::to_string(point->letters.size()) + " dimensions, " + point->letters};
  const Json opened = Opened(snapshot, terms).of(*cell, depth);
  if (json)
    std::printf("%s\n", opened.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else
    print(opened, 0);
  return success();
}

}  // namespace glassformer
