#include "app/figure/manual_file.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/io/files.h"
#include "tests/app/figure/figure_cases.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path manualFolder = std::filesystem::path(SOURCE_FOLDER) / "assets" / "manual";

}  // namespace

TEST_CASE("the manual as HTML has every page and picture, and no markup is left") {
  const Manual manual(manualFolder);
  const std::string html = manualHtml(manual, FigureFonts());
  std::size_t pictures = 0;
  for (const ManualPage& page : manual.pages()) {
    CHECK_THAT(html, ContainsSubstring("id=\"" + page.file.stem().string() + "\"") &&
                         ContainsSubstring(">" + page.title + "</h1>"));
    for (const Paragraph& p : page.paragraphs) pictures += p.kind == Paragraph::Kind::Picture;
  }
  std::size_t images = 0;
  for (std::size_t at = 0; (at = html.find("base64,iVBOR", at)) != html.npos; ++at) ++images;
  CHECK(images == pictures);
  CHECK_THAT(html, ContainsSubstring("<a href=\"#10_figures\">Figures</a>") && ContainsSubstring("<td>"));
  for (const char* raw : {"$", "](", "\\frac", "\\softmax", "| "}) {
    INFO(raw);
    CHECK(html.find(raw) == html.npos);
  }
}

TEST_CASE("the manual as PDF has every heading, and no markup is left", "[others]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "manual.pdf";
  REQUIRE(writeManual(manualFolder, file));
  const std::string words = outputOf("pdftotext -layout '" + file.string() + "' -");
  const Manual manual(manualFolder);
  for (const ManualPage& page : manual.pages())
    for (const Paragraph& p : page.paragraphs)
      if (p.kind == Paragraph::Kind::Heading) {
        INFO(p.words());
        CHECK(words.find(p.words()) != words.npos);
      }
  for (const char* raw : {"$", "](", "\\frac", "\\softmax"}) CHECK(words.find(raw) == words.npos);
}

TEST_CASE("the manual is written as its file's name ends, or not at all") {
  const TemporaryFolder folder;
  CHECK_THAT(writeManual(manualFolder, folder.path() / "manual.doc").error().message(),
             ContainsSubstring(".html or .pdf"));
  CHECK_THAT(writeManual(folder.path(), folder.path() / "manual.pdf").error().message(),
             ContainsSubstring("no manual was found"));
}
