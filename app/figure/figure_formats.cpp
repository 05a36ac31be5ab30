#include "app/figure/figure_formats.h"

#include <array>
#include <cstdlib>

#include "app/figure/pdf_figure.h"
#include "app/figure/png_figure.h"
#include "app/figure/svg_figure.h"
#include "core/io/checksum.h"
#include "core/io/files.h"
#include "core/io/picture_note.h"
#include "core/model/transformer.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

std::string svg(const Figure& figure, float, const FigureFonts& fonts) { return svgFigure(figure, fonts); }
std::string pdf(const Figure& figure, float, const FigureFonts& fonts) { return pdfFigure(figure, fonts); }

constexpr std::array formats{
    FigureFormat{"svg", "SVG", "vectors for browsers, slides and editors; text stays text", false, svg,
                 nullptr, nullptr, svgFilm},
    FigureFormat{"pdf", "PDF", "vectors for papers; fonts embedded", false, pdf, nullptr},
    FigureFormat{"png", "PNG", "pixels, at any scale", true, pngFigure, nullptr},
    FigureFormat{"gif", "GIF", "pixels in 256 colors, for programs that show films as pictures", true,
                 gifFigure, nullptr, nullptr, gifFilm},
    FigureFormat{"csv", "CSV", "the numbers, with their tokens, for spreadsheets", false, nullptr, csvTable},
    FigureFormat{"json", "JSON", "the numbers with their tokens and meanings, for scripts", false, nullptr,
                 jsonTable},
    FigureFormat{"npy", "NPY", "the numbers alone as float32, for numpy.load", false, nullptr, npyTable},
    FigureFormat{"npz", "NPZ", "the numbers as float32 and their question, for numpy.load", false, nullptr,
                 nullptr, writeNpz},
};

Status checkFolder(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    return Error{"no such folder", folder.string(), "make it first, or choose another one"};
  if (!fs::is_directory(status))
    return Error{error ? error.message() : "is not a folder", folder.string(), "choose another one"};
  if (fs::is_directory(file, error)) return Error{"is a folder", file.string(), "choose a file's name"};
  return success();
}

fs::path besides(const fs::path& file, const std::string& name) {
  fs::path other = file;
  return other.replace_filename(file.stem().string() + "." + name + file.extension().string());
}

Result<std::vector<WrittenFigure>> writeTables(const Figure& figure, const FigureFormat& format,
                                               const fs::path& file, bool all) {
  if (figure.numbers.empty())
    return Error{"No numbers in “" + figure.picture().title + "”", file.string(),
                 "choose another picture, or a format that draws this one"};
  const AskedNumbers asked = askedBy(figure);
  std::vector<WrittenFigure> written;
  if (format.archive) {
    const std::span<const NumberTable> tables(figure.numbers.data(), all ? figure.numbers.size() : 1);
    if (Status status = format.archive(file, tables, asked); !status) return status.error();
    for (const NumberTable& table : tables) written.push_back({file, table.name()});
    return written;
  }
  for (const NumberTable& table : figure.numbers) {
    const fs::path target = written.empty() ? file : besides(file, table.name());
    if (Status status = writeFile(target, format.table(table, asked)); !status) return status.error();
    written.push_back({target, table.name()});
    if (!all) break;
  }
  return written;
}

}  // namespace

AskedNumbers askedBy(const Figure& figure) {
  FigureRecipe recipe = figure.recipe;
  recipe.origin = originOf(figure.sources);
  AskedNumbers asked{figure.question, toJsonLine(recipe)};
  asked.question.weights = recipe.origin.weights;
  return asked;
}

std::span<const FigureFormat> figureFormats() { return formats; }

const FigureFormat* findFigureFormat(std::string_view id) {
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const FigureFormat& f) { return f.id == id; });
  return found == formats.end() ? nullptr : &*found;
}

Status checkFigureFile(const FigureSize& size, const FigureFormat& format, const fs::path& file,
                       float scale) {
  if (Status folder = checkFolder(file); !folder) return folder;
  const int width = pixelsOf(size.layout.x, scale), height = pixelsOf(size.layout.y, scale);
  if (!format.hasPixels || std::max(width, height) <= mostPixels) return success();
  return Error{
      "a picture of " + std::to_string(width) + " × " + std::to_string(height) + " pixels is too large",
      file.string(), "at most " + std::to_string(mostPixels) + " each: choose a smaller scale"};
}

Result<std::vector<WrittenFigure>> writeFigure(const Figure& figure, const FigureFormat& format,
                                               const fs::path& file, float scale, bool allNumbers,
                                               const FigureFonts& fonts) {
  if (Status fits = checkFigureFile(figure.size, format, file, scale); !fits) return fits.error();
  if (format.isNumbers()) return writeTables(figure, format, file, allNumbers);
  const std::string picture = withNote(format.picture(figure, scale, fonts), askedBy(figure).recipe);
  if (Status status = writeFile(file, picture); !status) return status.error();
  return std::vector<WrittenFigure>{{file, ""}};
}

Status writeFilm(Film& film, const Figure& first, const fs::path& file) {
  return writeFile(file, withNote(film.end(), askedBy(first).recipe));
}

fs::path freeFile(const fs::path& file) {
  std::error_code ignored;
  fs::path candidate = file;
  for (int number = 2; fs::exists(candidate, ignored); ++number) {
    candidate = file;
    candidate.replace_filename(file.stem().string() + "-" + std::to_string(number) +
                               file.extension().string());
  }
  return candidate;
}

fs::path picturesFolder() {
  std::error_code ignored;
#ifdef _WIN32
  const char* const home = std::getenv("USERPROFILE");
#else
  const char* const home = std::getenv("HOME");
#endif
  if (home && *home)
    for (const fs::path& folder : {fs::path(home) / "Pictures", fs::path(home)})
      if (fs::is_directory(folder, ignored)) return folder;
  return fs::current_path(ignored);
}

}  // namespace glassformer
