#include "app/document/figure_recipe.h"

#include <array>

#include "app/document/json_fields.h"
#include "app/document/workspace_json.h"
#include "core/io/files.h"
#include "core/io/picture_note.h"
#include "core/text/json_text.h"

namespace glassformer {

namespace {

constexpr int recipeVersion = 1;
constexpr const char* recipeField = "glassformer figure";

std::string asOneLine(const Json& json) { return json.dump(-1, ' ', true); }

}  // namespace

Workspace shownBy(const Workspace& workspace) {
  Workspace shown = workspace;
  shown.aside.clear(), shown.tab = 0;
  if (const std::optional<int> other = workspace.comparison.otherTab()) {
    shown.aside = {TabText(workspace.textOfTab(*other), workspace.sourceOfTab(*other))};
    shown.comparison.with = OtherText{1};
  }
  if (workspace.comparison.with != Comparison::recordedTrace) shown.recordedTrace.clear();
  if (workspace.view != "beam") shown.branches.clear();
  shown.desks.clear(), shown.left.clear();
  shown.lesson = {};
  shown.figure.folder.clear(), shown.figure.each.clear();
  return shown;
}

std::string toJsonLine(const FigureRecipe& recipe) {
  Json json{{recipeField, recipeVersion},
            {"program", "Glassformer " GLASSFORMER_VERSION},
            {"layout", {recipe.width, recipe.height}},
            {"weights", recipe.origin.weights},
            {"traces", recipe.origin.traces}};
  if (const auto session = parseOrderedJson(toJson(recipe.workspace), "")) json["session"] = *session;
  return asOneLine(json);
}

Result<FigureRecipe> recipeFromJson(const std::string& text) try {
  const auto json = parseOrderedJson(text, "");
  if (!json) return json.error();
  FieldReader fields(*json);
  int version = 0;
  fields.field(recipeField, version);
  if (version < 1) return Error{"not settings of a figure", "", ""};
  if (version > recipeVersion)
    return Error{"a newer Glassformer made it, and wrote how as version " + std::to_string(version) +
                     "; this one reads up to " + std::to_string(recipeVersion),
                 "", ""};
  FigureRecipe recipe;
  fields.name("program", recipe.version);
  fields.name("weights", recipe.origin.weights);
  fields.field("traces", recipe.origin.traces);
  std::array<float, 2> layout{};
  fields.field("layout", layout);
  recipe.width = layout[0], recipe.height = layout[1];
  if (!(recipe.width >= 1 && recipe.height >= 1 && recipe.width <= 1e5f && recipe.height <= 1e5f))
    return Error{"its layout has an invalid size", "", ""};
  const Result<Workspace> workspace = workspaceFromJson(asOneLine(json->value("session", Json::object())));
  if (!workspace) return workspace.error();
  recipe.workspace = *workspace;
  return recipe;
} catch (const std::exception& e) {
  return Error{e.what(), "", ""};
}

Result<FigureRecipe> recipeIn(const std::filesystem::path& figure) {
  const Result<std::string> file = readTextFile(figure);
  if (!file) return file.error();
  const Result<std::string> note = noteIn(*file);
  if (!note) return Error{note.error().what, figure.string(), note.error().hint};
  Result<FigureRecipe> recipe = recipeFromJson(*note);
  if (!recipe)
    return Error{"cannot read the settings in this figure: " + recipe.error().message(), figure.string(),
                 "your open work is unchanged"};
  return recipe;
}

Command commands::openFigure(const FigureRecipe& recipe) {
  return {[shown = recipe.workspace.document()](Workspace& workspace) {
            const std::string folder = workspace.figure.folder;
            workspace.document() = shown;
            workspace.figure.folder = folder;
          },
          "opening a figure", ""};
}

}  // namespace glassformer
