#include "core/io/picture_note.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/io/checksum.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string note = R"({"a": "<b> & &amp; \"c\" ]]>", "d": "%PDF-"})";

// The smallest of each kind: one grey pixel (as any PNG writer makes it), an empty drawing, an empty
// document, one pixel that could move.
const std::string onePixel =
    std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3a\x7e\x9b\x55", 33) +
    std::string("\0\0\0\nIDAT\x78\x9c\x63\x68\0\0\0\x82\0\x81\x77\xcd\x72\xb6", 22) +
    std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12);
const std::string drawing =
    "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
    "width=\"1\">\n<title>a</title></svg>\n";
const std::string document = "%PDF-1.5\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\nstartxref\n9\n%%EOF\n";
const std::string film = std::string("GIF89a\1\0\1\0\x80\0\0\xff\xff\xff\0\0\0", 19) +
                         std::string(",\0\0\0\0\1\0\1\0\0\2\2D\1\0;", 16);

}  // namespace

TEST_CASE("a note comes out of every kind of picture as it went in, and nothing else of it has changed") {
  for (const std::string& picture : {onePixel, drawing, document, film}) {
    const std::string carrying = withNote(picture, note);
    REQUIRE(noteIn(carrying));
    CHECK(*noteIn(carrying) == note);
    CHECK(carrying.size() > picture.size() + note.size());
    CHECK(carrying.ends_with(picture.substr(picture.size() - (picture == film ? 1 : 12))));
    CHECK(carrying.starts_with(picture.substr(0, 5)));
    REQUIRE_FALSE(noteIn(picture));
    CHECK_THAT(noteIn(picture).error().message(), ContainsSubstring("does not say what made it"));
  }
}

TEST_CASE("the checksum is the one of PNG and zip") {
  CHECK(crc32Of("123456789") == 0xcbf43926);  // the check value that its standard gives
  CHECK(crc32Of("IEND") == 0xae426082);       // as it ends every PNG
}

TEST_CASE("cut and damaged pictures are refused, wherever they are cut") {
  for (const std::string& picture : {onePixel, drawing, document, film}) {
    const std::string whole = withNote(picture, note);
    const std::size_t end = whole.find("]]") != std::string::npos ? whole.find("]]") : whole.find("]]&gt;");
    for (std::size_t cut = 0; cut <= end; ++cut) CHECK_FALSE(noteIn(whole.substr(0, cut)));
  }
  std::string damaged = withNote(onePixel, note);
  damaged[damaged.find("<b>")] = '[';
  REQUIRE_FALSE(noteIn(damaged));
  CHECK_THAT(noteIn(damaged).error().message(), ContainsSubstring("damaged"));
  std::string endless = withNote(onePixel, note);
  endless[8] = '\xff';  // the first chunk claims four gigabytes
  CHECK_FALSE(noteIn(endless));
  CHECK_FALSE(noteIn(""));
  CHECK_THAT(noteIn("hello").error().message(), ContainsSubstring("neither SVG nor PNG, GIF or PDF"));
}

TEST_CASE("weights have a checksum that tells them from others") {
  Parameters parameters({{"a", {2, 3}}, {"b", {4}}});
  const std::string zeros = checksumOf(parameters);
  CHECK(zeros.size() == 8);
  CHECK(zeros == checksumOf(parameters.copy()));
  parameters.values()[parameters.offset(1) + 3] = 1e-30f;
  CHECK(zeros != checksumOf(parameters));
}
