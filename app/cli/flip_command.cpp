#include "app/cli/flip_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/choices_option.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/document/change_settings.h"
#include "app/engine/open_model.h"
#include "app/engine/snapshot.h"
#include "app/engine/token_ids.h"
#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/smallest_change.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// All, or those that the window tries at first.
const ChangeBudget& budgetOf(const FlipCommand& command) {
  return command.all ? changeBudgets.back() : changeBudgets.front();
}

// Both searches of one answer, and what they come to in words.
class FlipSearch {
 public:
  FlipSearch(const FlipCommand& command, const LoadedModel& model, const Trace& trace, AnswerAsked asked)
      : command_(command),
        tokenizer_(*model.tokenizer),
        trace_(trace),
        start_(signsAround(tokenizer_, model.transformer->config()).before),
        replacements_(*model.transformer, trace, {}, asked, start_, budgetOf(command).replacements),
        heads_(*model.transformer, trace, {}, asked, budgetOf(command).headSets) {}

  void run(LivePass& pass) {
    const Watch watch = percentLines(stderr, "trying replacements", std::chrono::seconds(1));
    const auto most = static_cast<int>(std::min(replacements_.all(), budgetOf(command_).replacements));
    while (!replacements_.isDone()) watch(replacements_.tried(), most), replacements_.advance(pass);
    const Watch sets = percentLines(stderr, "trying sets of heads", std::chrono::seconds(1));
    while (!heads_.isDone()) {
      sets(static_cast<int>(heads_.sizes().back().tried), static_cast<int>(heads_.sizes().back().all));
      heads_.advance(pass);
    }
  }

  Json told() const {
    Json json{{"replacements", {{"all", replacements_.all()}, {"tried", replacements_.tried()}}},
              {"heads", {{"sizes", Json::array()}}}};
    json["replacements"]["changing"] = replacements_.found().size();
    json["heads"]["changing"] = heads_.found().size();
    json["replacements"]["found"] =
        listed(placeByPlace(replacements_.found()), [&](const auto& found) { return words(found.change); });
    json["heads"]["found"] = listed(headSets(), [](const HeadSetSearch::Found& found) {
      Json names = Json::array();
      for (const HeadId& head : found.heads) names.push_back(nameOf(head));
      return Json{{"off", names}};
    });
    for (const HeadSetSearch::Size& size : heads_.sizes())
      json["heads"]["sizes"].push_back({{"heads", size.heads}, {"all", size.all}, {"tried", size.tried}});
    return json;
  }

 private:
  template <typename Found, typename Words>
  Json listed(const std::vector<const Found*>& order, Words words) const {
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(command_.listed)); ++i) {
      Json row = words(*order[i]);
      const Flip& flip = order[i]->flip;
      row["answer"] = tokenizer_.tokenLabel(flip.answer);
      row["old_answer"] = {{"before", flip.oldBefore}, {"after", flip.oldAfter}};
      row["new_answer"] = {{"before", flip.newBefore}, {"after", flip.newAfter}};
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // The most probable new answers first.
  std::vector<const HeadSetSearch::Found*> headSets() const {
    std::vector<const HeadSetSearch::Found*> all;
    for (const HeadSetSearch::Found& each : heads_.found()) all.push_back(&each);
    std::ranges::stable_sort(all, std::greater<>(), [](const auto* each) { return each->flip.newAfter; });
    return all;
  }

  // Where, what by what, and the text that says so; or that none does.
  Json words(const TokenReplacement& change) const {
    const bool inSource = change.stream == Stream::Source;
    std::vector<int> tokens = inSource ? trace_.source() : trace_.tokens();
    int& place = tokens[static_cast<std::size_t>(change.position)];
    Json row{{"stream", inSource ? "source" : "text"},
             {"position", change.position},
             {"token", tokenizer_.tokenLabel(place)},
             {"by", tokenizer_.tokenLabel(change.token)},
             {"id", change.token}};
    place = change.token;
    if (!inSource) tokens.erase(tokens.begin(), tokens.begin() + start_);
    const std::string text = tokenizer_.decode(tokens);
    const Tokenizer& reader = inSource ? tokenizer_.ofSources() : tokenizer_;
    row["text"] = reader.encodeIds(text) == tokens ? Json(text) : Json();
    return row;
  }

  const FlipCommand& command_;
  const Tokenizer& tokenizer_;
  const Trace& trace_;
  int start_;  // tokens that nobody writes
  ReplacementSearch replacements_;
  HeadSetSearch heads_;
};

void printFlip(const Json& row, const std::string& change) {
  std::printf("  %-32s %-14s %6.3f -> %.3f\n", change.c_str(), row["answer"].get<std::string>().c_str(),
              row["new_answer"]["before"].get<double>(), row["new_answer"]["after"].get<double>());
}

void printFlips(const Json& told) {
  std::printf("%s\n", told["answer"].get<std::string>().c_str());
  const Json &tokens = told["replacements"], &heads = told["heads"];
  const int changing = tokens["changing"].get<int>();
  std::printf("one token: %d of %s tried, %d change%s the answer\n", tokens["tried"].get<int>(),
              countWords(tokens["all"].get<int>(), "replacement").c_str(), changing,
              changing == 1 ? "s" : "");
  for (const Json& row : tokens["found"])
    printFlip(row, row["stream"].get<std::string>() + " " + std::to_string(row["position"].get<int>()) + " " +
                       row["token"].get<std::string>() + " -> " + row["by"].get<std::string>());
  for (const Json& size : heads["sizes"])
    std::printf("%s off: %lld of %lld tried\n", countWords(size["heads"].get<int>(), "head").c_str(),
                size["tried"].get<long long>(), size["all"].get<long long>());
  for (const Json& row : heads["found"]) {
    std::string names;
    for (const Json& name : row["off"]) names += (names.empty() ? "" : " + ") + name.get<std::string>();
    printFlip(row, names);
  }
}

}  // namespace

Status FlipCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const Writing read = writingFor(model, text, source);
  const auto prompt = promptOf(*loaded->tokenizer, loaded->transformer->config(), read.text, read.source);
  if (!prompt) return prompt.error();
  const int last = static_cast<int>(prompt->tokens.size()) - 1;
  if (token > last)
    return Error{"there is no token " + std::to_string(token), "--token",
                 "the text's go from 0 to " + std::to_string(last)};
  AnswerAsked asked{positionAmong(prompt->tokens, token, loaded->tokenizer->mask())};
  if (!to.empty()) {
    const auto wanted = tokenWritten(to, *loaded->tokenizer, "--to");
    if (!wanted) return wanted.error();
    asked.target = *wanted;
  }
  LivePass pass(loaded->transformer);
  if (const Status fits = pass.checkMemory(prompt->tokens.size(), prompt->source.size()); !fits) return fits;
  const auto trace = pass.run(prompt->tokens, {}, prompt->source);
  const int answer = likeliestEntry(*trace, asked.position);
  if (answer == asked.target)
    return Error{"is the model's answer already", "--to", "give another token, or none"};
  FlipSearch search(*this, *loaded, *trace, asked);
  search.run(pass);
  Json told = search.told();
  told["model"] = loaded->name, told["position"] = asked.position;
  told["answer"] = loaded->tokenizer->tokenLabel(answer);
  if (json)
    printJson(told);
  else
    printFlips(told);
  return success();
}

}  // namespace glassformer
