#include "app/cli/render_command.h"

#include <algorithm>
#include <cstdio>

#include "app/bundles/pack.h"
#include "app/cli/bundle_command.h"
#include "app/cli/choices_option.h"
#include "app/cli/computed.h"
#include "app/cli/head_option.h"
#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/cli/size_option.h"
#include "app/document/attribution_settings.h"
#include "app/document/comparison_commands.h"
#include "app/document/leave_out_settings.h"
#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/session.h"
#include "app/document/steps.h"
#include "app/document/trace_file.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/engine/changed_model.h"
#include "app/engine/corpus.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/token_ids.h"
#include "app/figure/figure_formats.h"
#include "app/figure/sequences.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/views/other_names.h"
#include "app/views/views.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/lens/attention_rule.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::vector<std::string> idsOf(auto list) {
  std::vector<std::string> ids;
  for (const auto& entry : list) ids.emplace_back(entry.id);
  return ids;
}

Result<FigureSize> sheetOf(const std::string& size) {
  const auto pixels = parsedSize(size);
  if (!pixels) return pixels.error();
  return pixelSize({static_cast<float>(pixels->width), static_cast<float>(pixels->height)});
}

FigureSize sheetOf(const FigureRecipe& recipe) {
  return sizeFor(recipe.workspace.figure, pixelSize({recipe.width, recipe.height}));
}

void leaveOut(FigureSettings& figure, const std::string& part) {
  if (part == "heads") figure.heads = false;
  if (part == "bars") figure.bars = false;
  if (part == "scale") figure.colorScale = false;
}

// What is drawn again from other weights or another trace shows other numbers.
void compareOrigin(const FigureRecipe& made, const Snapshot& snapshot) {
  if (!made.origin.isKnown()) return;
  if (const std::string other = otherSince(made.origin, figureSources(snapshot)); !other.empty())
    std::fprintf(stderr, "glassformer: %s\n", other.c_str());
}

Result<const FigureFormat*> formatOf(const std::filesystem::path& out, const std::optional<std::string>& id) {
  const std::string ending = endingOf(out);
  const FigureFormat* format = findFigureFormat(id ? *id : ending.empty() ? "" : ending.substr(1));
  if (format) return format;
  std::string known;
  for (const FigureFormat& f : figureFormats()) known += (known.empty() ? "" : ", ") + std::string(f.id);
  return Error{id ? inQuotes(*id) + " is not a format" : "it has no ending", out.string(),
               "end it with, or give --format: " + known};
}

Status choosePicture(Workspace& workspace, const std::string& asked) {
  const View& view = viewOf(workspace.view);
  const Picture* const found = findPicture(view, asked);
  if (!found) {
    std::string known;
    for (const Picture& picture : view.pictures)
      known += (known.empty() ? "" : ", ") + std::string(picture.id);
    return Error{std::string(view.id) + " has no picture " + inQuotes(asked), "--picture", "it has " + known};
  }
  workspace.settings.pictures[view.id] = found->id;
  return success();
}

void report(const std::vector<WrittenFigure>& written, const Figure& figure) {
  for (const WrittenFigure& one : written)
    std::printf("%s%s%s\n", one.file.string().c_str(), one.tensor.empty() ? "" : "\t", one.tensor.c_str());
  if (!written.front().tensor.empty() && written.size() < figure.numbers.size())
    std::printf("%zu more with --all-tensors\n", figure.numbers.size() - written.size());
}

}  // namespace

std::vector<std::string> RenderCommand::sequences() { return idsOf(glassformer::sequences()); }
std::vector<std::string> RenderCommand::formats() { return idsOf(figureFormats()); }
std::vector<std::string> RenderCommand::viewNames() { return idsOf(views()); }
std::string RenderCommand::readView(std::string& name) {
  if (const View* const found = findView(name)) return name = found->id, "";
  std::string known;
  for (const std::string& id : viewNames()) known += (known.empty() ? "" : ", ") + id;
  return inQuotes(name) + " is not a view: " + known;
}
std::vector<std::string> RenderCommand::presets() { return idsOf(figureSizes()); }

Result<FigureRecipe> RenderCommand::start(const ModelLibrary& library) const {
  if (!figure.empty()) return recipeOfFile(figure);
  FigureRecipe first{.workspace = initialWorkspace(), .width = 1280, .height = 720};
  if (session.empty()) {
    first.workspace.figure.scale = 1;
    first.workspace.figure.size = "window";
    return first;
  }
  if (isPack(session)) {
    auto unpacked = unpack(session, packFolders(library.builtIn(), {}), unpackingLines());
    if (!unpacked) return unpacked.error();
    if (!unpacked->session) return Error{"it contains a lesson, not a session", session, ""};
    first.workspace = std::move(*unpacked->session);
    return first;
  }
  const auto file = readTextFile(session);
  if (!file) return file.error();
  const auto stored = workspaceFromJson(*file);
  if (!stored) return Error{stored.error().message(), session, "is it a session of this program?"};
  first.workspace = *stored;
  return first;
}

Result<FigureRecipe> RenderCommand::recipe(const ModelLibrary& library) const {
  Result<FigureRecipe> started = start(library);
  if (!started) return started;
  Workspace& w = started->workspace;
  if (lesson) {
    const auto file = lessonIn(*lesson, packFolders(library.builtIn(), {}), unpackingLines());
    if (!file) return file.error();
    const auto opened = LessonShelf(shelf).open(*file);
    if (!opened) return opened.error();
    commands::goToLessonStep(*opened, 0).apply(w);
  }
  if (view) w.view = *view;
  if (model) commands::setModel(*model).apply(w);
  const Workspace asLoaded = w;
  if (source) w.source = *source, w.text.clear();
  if (text) w.text = *text;
  if (!choices.empty()) {
    const auto changes = parseChanges(choices);
    if (!changes) return changes.error();
    w.changes = *changes;
  }
  if (picture)
    if (Status chosen = choosePicture(w, *picture); !chosen) return chosen.error();
  if (rule) {
    if (const auto read = AttentionRule::read(*rule); !read)
      return Error{read.error().message(), "--rule " + *rule, ""};
    w.rule = *rule;
  }
  if (token) w.selection.query = *token;
  const ComparisonMode both = difference ? ComparisonMode::Difference : ComparisonMode::SideBySide;
  if (compare && isTraceFile(*compare) && !isTraceFile(w.model)) {
    commands::compareWithTrace(*compare).apply(w);
    w.comparison.mode = both;
  } else if (compare) {
    w.tab = 0, w.aside = {TabText(*compare, w.source)};
    w.comparison = {OtherText{1}, both};
  }
  if (const std::string refusal = whyTraceRefuses(asLoaded, w); !refusal.empty())
    return Error{refusal, w.model, "--compare takes another trace"};
  if (preset) w.figure.size = *preset;
  if (size) w.figure.size = "window";  // as large as it says
  if (theme)
    w.figure.look = *theme == "dark"    ? FigureLook::Dark
                    : *theme == "paper" ? FigureLook::Paper
                                        : FigureLook::Light;
  if (millimetres) w.figure.millimetres = *millimetres;
  if (points) w.figure.points = *points;
  if (scale) w.figure.scale = *scale;
  if (caption) w.figure.caption = *caption;
  for (const std::string& part : without) leaveOut(w.figure, part);
  if (headsFirst) w.figure.headsFirst = true;
  if (captionAbove) w.figure.caption = w.figure.captionAbove = true;
  if (head)
    if (Status chosen = chooseHead(w.selection, *head); !chosen) return chosen.error();
  return started;
}

Status RenderCommand::run(const ModelLibrary& library) const {
  const auto chosen = formatOf(out, format);
  if (!chosen) return chosen.error();
  auto made = recipe(library);
  if (!made) return made.error();
  Workspace* const wanted = &made->workspace;
  const Result<FigureSize> sheet = size ? sheetOf(*size) : sheetOf(*made);
  if (!sheet) return sheet.error();

  std::optional<OpenedModel> opened;
  if (!interventions.isEmpty() || !against.empty()) {
    auto loaded = library.load(wanted->model);  // a trace from elsewhere has no weights to leave out
    if (!loaded) return loaded.error();
    opened = {wanted->model, *std::move(loaded)};
  }
  if (!interventions.isEmpty()) {
    const LoadedModel& loaded = opened->model;
    const auto changed = changedModel(loaded.transformer, wanted->changes);
    if (!changed) return changed.error();
    auto more = interventions.of(changed->transformer);
    if (!more) return more.error();
    // The figure's recipe holds them.
    const Interventions all = withMeansOf(
        *std::move(more),
        readBy(*loaded.tokenizer, changed->transformer->config(), {wanted->text, wanted->source}));
    wanted->interventions.insert(wanted->interventions.end(), all.begin(), all.end());
  }
  if (atMean) wanted->settings.choose(leftOutReplaced, leftOutReplacedByMean);
  if (!against.empty()) {
    const auto entry = tokenWritten(against, *opened->model.tokenizer, "--contrast");
    if (!entry) return entry.error();
    wanted->settings.choose(againstChoice, std::to_string(*entry));
  }
  const auto done = computed(library, *wanted, nullptr, opened);
  if (!done) return done.error();
  const std::shared_ptr<const Snapshot>& snapshot = *done;
  if (!against.empty() &&
      snapshot->pass->predicted.entry == chosenNumber(wanted->settings, againstChoice, -1))
    return Error{"is the prediction itself", "--contrast", "give another token, or none"};
  if (source && snapshot->model->config)
    if (Status fits = checkSource(*snapshot->model->config, *source); !fits) return fits.error();
  if (token && *token >= static_cast<int>(snapshot->pass->tokens.size()))
    return Error{"the text has no token " + std::to_string(*token), "--token",
                 "it has " + std::to_string(snapshot->pass->tokens.size()) + ", counted from 0"};
  if (head && snapshot->model->config)
    if (Status there = checkHead(wanted->selection, *snapshot->model->config); !there) return there.error();

  compareOrigin(*made, *snapshot);
  return each ? drawEach(library, *wanted, *snapshot, *sheet, **chosen)
              : draw(*wanted, *snapshot, *sheet, **chosen, out);
}

Status RenderCommand::drawEach(const ModelLibrary& library, const Workspace& first, const Snapshot& snapshot,
                               const FigureSize& sheet, const FigureFormat& chosen) const {
  std::shared_ptr<const Lesson> opened;
  if (first.lesson.isOpen()) {
    const auto read = LessonShelf(shelf).open(first.lesson.lesson);
    if (!read) return read.error();
    opened = *read;
  }
  const std::vector<SequenceFrame> frames = findSequence(*each)->frames({first, snapshot, opened});
  if (frames.empty()) return Error{"no frames to draw", "--each " + *each, ""};
  const bool isFilm = moving || std::string_view(chosen.id) == "gif";
  if (isFilm && !chosen.film)
    return Error{std::string("a ") + chosen.title + " does not move", "--animate", "write SVG or GIF"};
  const ModelLoader loader = [&](const std::string& name, const ProgressCallback& watch) {
    return library.loadOrTrace(name, watch);
  };
  const auto written = writeSequence(
      frames, loader,
      {out, sheet, chosen, isFilm, seconds, first.figure.scale, allTensors || first.figure.allNumbers},
      percentLines(stderr, "drawing", std::chrono::seconds(1)));
  if (!written) return written.error();
  for (const WrittenFigure& one : *written) std::printf("%s\n", one.file.string().c_str());
  return success();
}

Status RenderCommand::print(const Figure& drawn, const FigureFormat& chosen) const {
  if (!chosen.table)
    return Error{"only numbers are printed", "--out " + std::string(standardOutput),
                 "give --format csv or json"};
  if (drawn.numbers.empty())
    return Error{"no numbers in “" + drawn.picture().title + "”", "--picture", "choose another one"};
  std::fputs(chosen.table(drawn.numbers.front(), askedBy(drawn)).c_str(), stdout);
  return success();
}

Status RenderCommand::draw(const Workspace& wanted, const Snapshot& snapshot, const FigureSize& sheet,
                           const FigureFormat& chosen, const std::filesystem::path& file) const {
  const FigureFonts fonts;
  const Figure drawn = makeFigure(wanted, snapshot, sheet, fonts);
  if (chosen.isNumbers() && drawn.numbers.empty() && wanted.view == "training" && !snapshot.training->run)
    return Error{"training shows the numbers of a run, and none is open here", "--view",
                 "train in the window (Shift+T) and export from there (Ctrl+E)"};
  if (file == standardOutput) return print(drawn, chosen);
  const auto written =
      writeFigure(drawn, chosen, file, wanted.figure.scale, allTensors || wanted.figure.allNumbers, fonts);
  if (!written) return written.error();
  report(*written, drawn);
  return success();
}

}  // namespace glassformer
