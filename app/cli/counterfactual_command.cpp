#include "app/cli/counterfactual_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/head_option.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/document/change_settings.h"
#include "app/document/workspace.h"
#include "app/engine/open_model.h"
#include "app/engine/snapshot.h"
#include "app/engine/token_ids.h"
#include "app/scene/format.h"
#include "core/lens/counterfactual.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// All, or those that the window tries at first.
const ChangeBudget& budgetOf(const CounterfactualCommand& command) {
  return command.all ? changeBudgets.back() : changeBudgets.front();
}

// Both searches of one answer, and what they come to in words.
class FlipSearch {
 public:
  FlipSearch(const CounterfactualCommand& command, const LoadedModel& model, const Trace& trace,
             AnswerAsked asked)
      : command_(command),
        tokenizer_(*model.tokenizer),
        trace_(trace),
        asked_(asked),
        start_(signsAround(tokenizer_, model.transformer->config()).before),
        replacements_(*model.transformer, trace, {}, asked, start_, budgetOf(command).replacements),
        heads_(*model.transformer, trace, {}, asked, budgetOf(command).headSets) {}

  void run(LivePass& pass) {
    const ProgressCallback watch = percentLines(stderr, "trying replacements", std::chrono::seconds(1));
    const auto most = static_cast<int>(std::min(replacements_.all(), budgetOf(command_).replacements));
    while (!replacements_.isDone()) watch(replacements_.tried(), most), replacements_.advance(pass);
    const ProgressCallback sets = percentLines(stderr, "trying sets of heads", std::chrono::seconds(1));
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

  // What the model says, or what the key that the head looks at holds, with the change.
  std::string answer(int answer, const Json& change) const {
    if (!asked_.head) return tokenizer_.tokenLabel(answer);
    const bool isSource = keysOf(asked_.head->site) == Stream::Source;
    if (change.value("position", -1) == answer && (change["stream"] == "source") == isSource)
      return change["by"].get<std::string>();
    return tokenizer_.tokenLabel(
        (isSource ? trace_.source() : trace_.tokens())[static_cast<std::size_t>(answer)]);
  }

 private:
  template <typename Found, typename Words>
  Json listed(const std::vector<const Found*>& order, Words words) const {
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(command_.listed)); ++i) {
      Json row = words(*order[i]);
      const Counterfactual& flip = order[i]->flip;
      if (asked_.head) row["key"] = flip.answer;
      row["answer"] = answer(flip.answer, row);
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

  const CounterfactualCommand& command_;
  const Tokenizer& tokenizer_;
  const Trace& trace_;
  AnswerAsked asked_;
  int start_;  // tokens that nobody writes
  ReplacementSearch replacements_;
  HeadSetSearch heads_;
};

// "14 ·animal" of a key.
std::string answerWords(const Json& told) {
  const std::string answer = told["answer"].get<std::string>();
  return told.contains("key") ? std::to_string(told["key"].get<int>()) + " " + answer : answer;
}

void printFlip(const Json& row, const std::string& change) {
  std::printf("  %-32s %-14s %6.3f -> %.3f\n", change.c_str(), answerWords(row).c_str(),
              row["new_answer"]["before"].get<double>(), row["new_answer"]["after"].get<double>());
}

std::string namesOf(const Json& heads) {
  std::string names;
  for (const Json& name : heads) names += (names.empty() ? "" : " + ") + name.get<std::string>();
  return names;
}

void printFlips(const Json& told) {
  std::printf("%s%s\n",
              told.contains("head") ? (told["head"].get<std::string>() + " attends to ").c_str() : "",
              answerWords(told).c_str());
  const Json &tokens = told["replacements"], &heads = told["heads"];
  const int changing = tokens["changing"].get<int>();
  std::printf("one token: %d of %s tried, %d change%s %s\n", tokens["tried"].get<int>(),
              countWords(tokens["all"].get<int>(), "replacement").c_str(), changing, changing == 1 ? "s" : "",
              told.contains("head") ? "top key" : "the answer");
  for (const Json& row : tokens["found"])
    printFlip(row, row["stream"].get<std::string>() + " " + std::to_string(row["position"].get<int>()) + " " +
                       row["token"].get<std::string>() + " -> " + row["by"].get<std::string>());
  for (const Json& size : heads["sizes"])
    std::printf("%s ablated: %lld of %lld tried\n", countWords(size["heads"].get<int>(), "head").c_str(),
                size["tried"].get<long long>(), size["all"].get<long long>());
  for (const Json& row : heads["found"]) printFlip(row, namesOf(row["off"]));
}

// Both lists as one table: replacements, and behind them sets of heads.
Json flipRows(const Json& told) {
  Json rows = told["replacements"]["found"];
  for (Json row : told["heads"]["found"]) {
    row["off"] = namesOf(row["off"]);
    rows.push_back(std::move(row));
  }
  return rows;
}
constexpr CsvColumn flipColumns[]{{"stream", "/stream"},
                                  {"position", "/position"},
                                  {"token", "/token"},
                                  {"by", "/by"},
                                  {"heads_off", "/off"},
                                  {"answer", "/answer"},
                                  {"key", "/key"},
                                  {"old_before", "/old_answer/before"},
                                  {"old_after", "/old_answer/after"},
                                  {"new_before", "/new_answer/before"},
                                  {"new_after", "/new_answer/after"},
                                  {"text", "/text"}};

// The head that is asked, if one is, with its query in place of the position behind which an answer is given.
Result<AnswerAsked> questionOf(const CounterfactualCommand& command, const LoadedModel& model,
                               const Prompt& prompt) {
  const ModelConfig& config = model.transformer->config();
  AnswerAsked asked;
  if (!command.head.empty()) {
    Selection selection;
    if (Status is = chooseHead(selection, command.head); !is) return is.error();
    if (Status has = checkHead(selection, config); !has) return has.error();
    const bool isOwn = selection.site == AttentionSite::Self;
    asked.head = {selection.layer, selection.head, isOwn ? ownSite(config) : selection.site};
  }
  const bool fromSource = asked.head && queriesOf(asked.head->site) == Stream::Source;
  const std::vector<int>& tokens = fromSource ? prompt.source : prompt.tokens;
  const int last = static_cast<int>(tokens.size()) - 1;
  const auto missing = [](int token, const char* option, int last) {
    return Error{"no token " + std::to_string(token), option,
                 "the text's go from 0 to " + std::to_string(last)};
  };
  if (command.token > last) return missing(command.token, "--token", last);
  asked.position = positionAmong(tokens, command.token, fromSource ? -1 : model.tokenizer->mask());
  asked.target = command.key;
  const bool toSource = asked.head && keysOf(asked.head->site) == Stream::Source;
  const int lastKey = static_cast<int>((toSource ? prompt.source : prompt.tokens).size()) - 1;
  if (command.key > lastKey) return missing(command.key, "--key", lastKey);
  if (command.to.empty()) return asked;
  const auto wanted = tokenWritten(command.to, *model.tokenizer, "--target");
  if (!wanted) return wanted.error();
  asked.target = *wanted;
  return asked;
}

}  // namespace

Status CounterfactualCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const TabText read = writingFor(model, text, source);
  const auto prompt = promptOf(*loaded->tokenizer, loaded->transformer->config(), read.text, read.source);
  if (!prompt) return prompt.error();
  const auto asked = questionOf(*this, *loaded, *prompt);
  if (!asked) return asked.error();
  LivePass pass(loaded->transformer);
  if (Status fits = pass.checkMemory(prompt->tokens.size(), prompt->source.size()); !fits) return fits;
  const auto trace = pass.run(prompt->tokens, {}, prompt->source);
  const int answer = answerOf(*trace, *asked);
  if (answer == asked->target)
    return asked->head ? Error{"is the top key already", "--key", "give another token, or none"}
                       : Error{"is the prediction already", "--target", "give another token, or none"};
  FlipSearch search(*this, *loaded, *trace, *asked);
  search.run(pass);
  Json told = search.told();
  told["model"] = loaded->name, told["position"] = asked->position;
  if (asked->head) told["head"] = nameOf(*asked->head), told["key"] = answer;
  told["answer"] = search.answer(answer, Json::object());
  if (!json && !csv) return printFlips(told), success();
  Question question = askedOf(*loaded, choices, read);
  question.position = asked->position;
  if (!asked->head) askAbout({{asked->position, answer}}, prompt->tokens, *loaded->tokenizer, question);
  question.metric = asked->head ? "the head's largest weight" : "the most probable next token";
  printTold(printedAs(json, csv), told, flipRows(told), flipColumns, question);
  return success();
}

}  // namespace glassformer
