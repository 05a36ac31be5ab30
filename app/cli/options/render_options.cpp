#include "app/cli/head_option.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/render_command.h"
#include "app/document/figure_settings.h"
#include "app/document/workspace.h"

namespace glassformer {

void RenderCommand::addOptions(CLI::App& command) {
  command.add_option("figure", figure,
                     "a figure or a file of numbers of Glassformer, to be made again, as it is or changed");
  command.add_option("--out", out, "the file to write; its ending chooses the format")->required();
  command.add_option("--format", format, "the format, where the file's name does not say it")
      ->check(oneOf(formats()));
  command
      .add_option("--session", session, "a session file, or a pack with one: draws what its window showed")
      ->excludes("figure");
  command.add_option("--view", view, "view, by id or title")
      ->transform(CLI::Validator(&readView, oneOf(viewNames()).get_description(), "view"));
  command.add_option("--model", model, "built-in name, directory, or recorded activations");
  command.add_option("--text", text, "the text to read");
  addChoices(command, choices);
  command.add_option("--source", source, "the source to read: for encoder-decoders");
  command.add_option("--head", head, headOptionWords);
  command.add_option("--picture", picture, "picture of the view, such as \"ablation\" of attribution");
  command.add_option(
      "--hypothesis", hypothesis,
      "attention rule, such as \"key = query - 1\", for the picture \"head detector\" of attention");
  CLI::Option* other =
      command.add_option("--compare", compare, "another text, or recorded activations, to compare with");
  command.add_flag("--difference", difference, "the first text minus the other, in one picture")
      ->needs(other);
  command.add_option("--token", token, "the token that is asked about, counted from 0")->check(wholeFrom(0));
  addInterventions(command, interventions);
  CLI::Option* pixels = command.add_option("--size", size, "WIDTHxHEIGHT of the layout in pixels (1280x720)");
  command.add_option("--preset", preset, "a size for slides or papers")
      ->check(oneOf(presets()))
      ->excludes(pixels);
  command.add_option("--scale", scale, "PNG and GIF: pixels per pixel of the layout")
      ->check(numberWithin(leastFigureScale, greatestFigureScale));
  command.add_option("--theme", theme, "dark, light, or paper: light on white")
      ->check(oneOf({"dark", "light", "paper"}));
  command.add_option("--width", millimetres, "how wide a preset is in print, in mm; it holds more then")
      ->check(numberWithin(10, mostMillimetres))
      ->excludes(pixels);
  command.add_option("--points", points, "the size of a preset's text in print")
      ->check(numberWithin(leastPoints, mostPoints))
      ->excludes(pixels);
  command
      .add_option("--without", without, "part of the figure to hide: heads, bars or scale; more than once")
      ->check(oneOf({"heads", "bars", "scale"}));
  command.add_flag("--heads-first", headsFirst, "thumbnails of heads stand left of the picture");
  command.add_flag("--caption-above", captionAbove, "the caption stands above the picture");
  command.add_flag_function(
      "--caption,!--no-caption", [this](std::int64_t given) { caption = given > 0; },
      "words below that say what it shows");
  command
      .add_option(
          "--each", each,
          "one file for each step of the model, token of the text, head, or step of the lesson, numbered")
      ->check(oneOf(sequences()));
  command.add_flag("--moving", moving, "--each: all in one file that moves: SVG, and always GIF");
  command.add_option("--seconds", seconds, "--each: how long every picture of a moving file is seen")
      ->capture_default_str()
      ->check(numberWithin(leastFrameSeconds, mostFrameSeconds));
  command.add_option("--lesson", lesson, "draws its first step: a lesson that ships, or a file");
  command.add_flag("--all-tensors", allTensors, "CSV and NPY: every tensor, each in its file");
  addMemory(command);
}

}  // namespace glassformer
