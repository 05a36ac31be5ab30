#include "core/io/picture_note.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "core/io/checksum.h"
#include "core/io/file_ending.h"

namespace glassformer {

namespace {

constexpr std::string_view pngBegin("\x89PNG\r\n\x1a\n", 8), pngKeyword("Glassformer\0", 12);
constexpr std::string_view svgBegin = "<metadata id=\"glassformer", svgEnd = "</metadata>";
// Blocks of a GIF's comment: two bytes say that it is one, then each block begins with its length.
constexpr std::string_view gifBegin("\x21\xFE\x0CGlassformer\0", 15), gifTrailer = ";";
constexpr std::string_view pdfBegin = "%Glassformer: ", pdfXref = "startxref";
constexpr const char* noteHint =
    "a figure that Glassformer wrote opens, as long as no other program has rewritten it";

bool isPng(std::string_view file) { return file.starts_with(pngBegin); }
bool isGif(std::string_view file) { return file.starts_with("GIF8"); }
bool isPdf(std::string_view file) { return file.starts_with("%PDF-"); }
bool isSvg(std::string_view file) { return file.substr(0, 1024).find("<svg") != std::string_view::npos; }

// What XML takes for markup, and what stands for it.
constexpr std::array<std::pair<char, std::string_view>, 3> xmlNames{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}}};

std::string inXml(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    std::string_view written(&c, 1);
    for (const auto& [markup, name] : xmlNames)
      if (c == markup) written = name;
    quoted += written;
  }
  return quoted;
}

std::string fromXml(std::string_view quoted) {
  std::string text;
  while (!quoted.empty()) {
    std::size_t length = 1;
    char c = quoted[0];
    for (const auto& [markup, name] : xmlNames)
      if (quoted.starts_with(name)) c = markup, length = name.size();
    text += c;
    quoted.remove_prefix(length);
  }
  return text;
}

// PNG's numbers have their largest byte first.
std::string bigEndian(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}
std::uint32_t fromBigEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(0, 4)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

// Length, type, content, checksum of type and content.
std::string pngChunk(std::string_view type, std::string_view content) {
  const std::string checked = std::string(type) + std::string(content);
  return bigEndian(static_cast<std::uint32_t>(content.size())) + checked + bigEndian(crc32Of(checked));
}

Error noNote(std::string what) { return {std::move(what), "", noteHint}; }

Result<std::string> noteInPng(std::string_view file) {
  constexpr std::size_t around = 12;  // bytes of a chunk beside its content
  for (std::size_t at = pngBegin.size(); at + around <= file.size();) {
    const std::size_t length = fromBigEndian(file.substr(at));
    if (length > file.size() - at - around) break;
    const std::string_view checked = file.substr(at + 4, 4 + length), content = checked.substr(4);
    if (checked.starts_with("tEXt") && content.starts_with(pngKeyword)) {
      if (crc32Of(checked) != fromBigEndian(file.substr(at + 8 + length)))
        return noNote("the settings in this figure are damaged near byte " + std::to_string(at));
      return std::string(content.substr(pngKeyword.size()));
    }
    if (checked.starts_with("IEND")) return noNote("this PNG does not say what made it");
    at += around + length;
  }
  return noNote("this PNG is cut: it ends before its last chunk");
}

// Blocks of at most 255 bytes, and an empty one at the end.
std::string gifComment(std::string_view note) {
  std::string comment(gifBegin);
  for (constexpr std::size_t most = 255; !note.empty(); note.remove_prefix(std::min(most, note.size()))) {
    const std::string_view block = note.substr(0, most);
    comment += static_cast<char>(block.size());
    comment += block;
  }
  return comment + '\0';
}

Result<std::string> noteInGif(std::string_view file) {
  const std::size_t begin = file.rfind(gifBegin);
  if (begin == std::string_view::npos) return noNote("this GIF does not say what made it");
  std::string note;
  for (std::size_t at = begin + gifBegin.size(); at < file.size();) {
    const auto length = static_cast<unsigned char>(file[at]);
    if (length == 0) return note;
    note += file.substr(at + 1, length);
    at += std::size_t{1} + length;
  }
  return noNote("this GIF is cut");
}

Result<std::string> noteBetween(std::string_view file, std::string_view begin, std::string_view end,
                                const char* kind) {
  const std::size_t at = file.rfind(begin);
  if (at == std::string_view::npos) return noNote(std::string("this ") + kind + " does not say what made it");
  const std::string_view rest = file.substr(at + begin.size());
  const std::size_t length = rest.find(end);
  if (length == std::string_view::npos) return noNote(std::string("this ") + kind + " is cut");
  return std::string(rest.substr(0, length));
}

}  // namespace

bool isPictureFile(const std::filesystem::path& file) {
  const std::string ending = endingOf(file);
  return ending == ".svg" || ending == ".png" || ending == ".pdf" || ending == ".gif";
}

std::string withNote(std::string picture, std::string_view note) {
  assert(note.find_first_of("\r\n") == std::string_view::npos);
  if (isPng(picture)) {
    constexpr std::size_t header = 25;  // the chunk IHDR comes first, always 13 bytes long
    return picture.insert(pngBegin.size() + header,
                          pngChunk("tEXt", std::string(pngKeyword) + std::string(note)));
  }
  if (isGif(picture)) return picture.insert(picture.rfind(gifTrailer), gifComment(note));
  if (isPdf(picture))
    return picture.insert(picture.rfind(pdfXref), std::string(pdfBegin) + std::string(note) + "\n");
  assert(isSvg(picture));
  const std::size_t root = picture.find('>', picture.find("<svg"));
  // An id that no other picture of the same page has; older ones end with the name.
  const std::string begin = std::string(svgBegin) + "-" + digitsOf(crc32Of(note)) + "\">";
  return picture.insert(root + 1, "\n" + begin + inXml(note) + std::string(svgEnd));
}

Result<std::string> noteIn(std::string_view picture) {
  if (isPng(picture)) return noteInPng(picture);
  if (isGif(picture)) return noteInGif(picture);
  if (isPdf(picture)) return noteBetween(picture, pdfBegin, "\n", "PDF");
  if (!isSvg(picture)) return noNote("this is neither SVG nor PNG, GIF or PDF");
  auto note = noteBetween(picture, svgBegin, svgEnd, "SVG");
  return note ? fromXml(note->substr(note->find('>') + 1)) : note;
}

}  // namespace glassformer
