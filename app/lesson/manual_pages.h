#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lesson/prose.h"
#include "core/result.h"

namespace glassformer {

/// A page of the manual: one Markdown file.
struct ManualPage {
  std::filesystem::path file;
  std::string title;  ///< its first heading
  std::vector<Paragraph> paragraphs;
};

/// A heading of a page, or with an empty anchor the page's begin.
struct ManualPlace {
  int page = 0;
  std::string anchor;
};

/// The pages of the manual, in the order of their file names.
class Manual {
 public:
  /// An empty folder has none. Files that cannot be read are missing, and wrong() says why.
  explicit Manual(const std::filesystem::path& folder = {});

  const std::vector<ManualPage>& pages() const { return pages_; }
  const std::string& wrong() const { return wrong_; }
  /// Place of a link, "04_positions.md#curves" or "#curves" on the page that has it, or of a heading's words,
  /// "Curves". None: there is no such heading.
  std::optional<ManualPlace> find(const std::string& target, int page = 0) const;

 private:
  std::vector<ManualPage> pages_;
  std::string wrong_;
};

/// What links call a heading, as GitHub and browsers do: "Q/K/V gradients" is "qkv-gradients".
std::string anchorOf(std::string_view heading);

/// How wide and high every picture of the manual is, in pixels at 100 %.
inline constexpr Point manualPicture{560, 420};

/// A page in lines: what to draw, from its upper left corner on.
struct LaidPage {
  struct Picture {
    Box box;
    std::filesystem::path file;
  };
  std::vector<Shape> shapes;
  std::vector<Picture> pictures;
  std::vector<LaidProse::Link> links;
  std::vector<std::pair<std::string, float>> anchors;  ///< of the headings, and how far down they are
  std::vector<float> cuts;                             ///< where a sheet of paper may end
  float height = 0;
};
LaidPage layPage(const ManualPage& page, float width, const TextMetrics& metrics, const Theme& theme,
                 float size, float pictureWidth = manualPicture.x);

/// The cells of a row of a table.
std::vector<Paragraph> cellsOf(const Paragraph& row);

}  // namespace glassformer
