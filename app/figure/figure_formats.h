#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/film.h"
#include "app/figure/number_files.h"
#include "core/result.h"

namespace glassformer {

/// A kind of file a view can be written as: a picture, or its numbers.
struct FigureFormat {
  const char* id;  ///< also how its files end
  const char* title;
  const char* about;
  bool hasPixels;  ///< the settings' scale counts
  std::string (*picture)(const Figure&, float scale, const FigureFonts&);
  std::string (*table)(const NumberTable&, const AskedNumbers&);  ///< nullptr for pictures
  /// All tables in one file; nullptr where each has its own.
  Status (*archive)(const std::filesystem::path&, std::span<const NumberTable>,
                    const AskedNumbers&) = nullptr;
  /// Several figures in one file, one after the other; nullptr where that cannot be.
  std::unique_ptr<Film> (*film)(float scale, double seconds, const FigureFonts&) = nullptr;

  bool isNumbers() const { return table || archive; }
};

/// Every format, in the order of the menu: the one list that the export panel, the command line and tests
/// read.
std::span<const FigureFormat> figureFormats();
/// nullptr where there is none of that id.
const FigureFormat* findFigureFormat(std::string_view id);

/// A file that was written, and of numbers, which.
struct WrittenFigure {
  std::filesystem::path file;
  std::string tensor;
};

/// The question that a figure's numbers answer, with the checksums of where they come from: that takes long.
AskedNumbers askedBy(const Figure& figure);

/// Says what is wrong with the folder, the file, or so many pixels.
Status checkFigureFile(const FigureSize& size, const FigureFormat& format, const std::filesystem::path& file,
                       float scale);

/// Writes a figure; each file appears whole or not at all. A picture carries what made it (recipeIn() of the
/// file). Of numbers the main table goes to `file`; with
/// `allNumbers` each further one goes with it, or beside it as "<file's stem>.<name of the table>.<ending>".
/// Says what is wrong with the folder or the file.
Result<std::vector<WrittenFigure>> writeFigure(const Figure& figure, const FigureFormat& format,
                                               const std::filesystem::path& file, float scale,
                                               bool allNumbers, const FigureFonts& fonts);

/// Writes a film that has all its frames. It carries what made its first one, as pictures do.
Status writeFilm(Film& film, const Figure& first, const std::filesystem::path& file);

/// `file`, or where that exists the first of "name-2.svg", "name-3.svg", ... that does not.
std::filesystem::path freeFile(const std::filesystem::path& file);
/// Where the user keeps pictures, else their home, else where the program was started.
std::filesystem::path picturesFolder();

}  // namespace glassformer
