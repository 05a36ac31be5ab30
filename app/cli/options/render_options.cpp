#include "app/cli/head_option.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/render_command.h"
#include "app/document/figure_settings.h"
#include "app/document/workspace.h"

namespace glassformer {

void RenderCommand::addOptions(CLI::App& command) {
  command.add_option("figure", figure,
                     "figure or file of numbers of Glassformer, to draw again, also with changes");
  command.add_option("--out", out, "file to write; its ending selects the format")->required();
  command.add_option("--format", format, "format, if the file's name has no known ending")
      ->check(oneOf(formats()));
  command.add_option("--session", session, "session file, or a bundle with one: draw its window")
      ->excludes("figure");
  command.add_option("--view", view, "view, by id or title")
      ->transform(CLI::Validator(&readView, oneOf(viewNames()).get_description(), "view"));
  command.add_option("--model", model, "built-in name, directory, or recorded activations");
  command.add_option("--text", text, "input text");
  addChoices(command, choices);
  command.add_option("--source", source, "source text: for encoder-decoders");
  command.add_option("--head", head, headOptionWords);
  command.add_option("--picture", picture, "picture of the view, such as \"ablation\" of attribution");
  command.add_option("--rule", rule,
                     "attention rule, such as previous, for the picture \"head detector\" of attention");
  CLI::Option* other =
      command.add_option("--compare", compare, "text or recorded activations to compare with");
  command.add_flag("--difference", difference, "draw the first text minus the other")->needs(other);
  command.add_option("--token", token, "position of the selected token, from 0")->check(wholeFrom(0));
  addInterventions(command, interventions);
  CLI::Option* pixels = command.add_option("--size", size, "WIDTHxHEIGHT of the layout in pixels (1280x720)");
  command.add_option("--preset", preset, "size for slides or papers")
      ->check(oneOf(presets()))
      ->excludes(pixels);
  command.add_option("--scale", scale, "PNG and GIF: pixels per pixel of the layout")
      ->check(numberWithin(leastFigureScale, greatestFigureScale));
  command.add_option("--theme", theme, "dark, light, or paper: light on white")
      ->check(oneOf({"dark", "light", "paper"}));
  command
      .add_option("--print-width", millimetres,
                  "width of a preset in print, in mm; more fits into a wider one")
      ->check(numberWithin(10, mostMillimetres))
      ->excludes(pixels);
  command.add_option("--font-size", points, "font size of a preset in print, in points")
      ->check(numberWithin(leastPoints, mostPoints))
      ->excludes(pixels);
  command.add_option("--hide", without, "part of the figure to hide: heads, bars or scale; repeatable")
      ->check(oneOf({"heads", "bars", "scale"}));
  command.add_flag("--heads-first", headsFirst, "put the thumbnails of heads left of the picture");
  command.add_flag("--caption-above", captionAbove, "put the caption above the picture");
  command.add_flag_function(
      "--caption,!--no-caption", [this](std::int64_t given) { caption = given > 0; },
      "caption with the description of the figure");
  command
      .add_option("--each", each, "one numbered file for each operation, token, head, or page of the lesson")
      ->check(oneOf(sequences()));
  command.add_flag("--animate", moving, "--each: one animated file: SVG, and always GIF");
  command.add_option("--seconds", seconds, "--each: seconds for each frame of an animation")
      ->capture_default_str()
      ->check(numberWithin(leastFrameSeconds, mostFrameSeconds));
  command.add_option("--lesson", lesson, "draw the first page of a lesson: a built-in name or a file");
  command.add_flag("--all-tensors", allTensors, "CSV and NPY: every tensor, each in its file");
  addMemory(command);
}

}  // namespace glassformer
