#include "app/archives/archive.h"

#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <span>
#include <system_error>

#include "core/io/checksum.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostFiles = 10'000, piece = std::size_t{1} << 20;
constexpr int thousandths = 1000;
constexpr std::uint64_t roomToSpare = std::uint64_t{64} << 20;  // bytes of the disk

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes >> 20) + 1) + " MB"; }

Error cannotPack(const fs::path& file, const std::string& why) {
  return {"cannot be bundled: " + why, file.string(), ""};
}
Error isDamaged(const fs::path& file, const std::string& why) {
  return {"this archive is damaged: " + why, file.string(), "the file may be cut short"};
}
Error wasCancelled(const fs::path& file) { return {"was cancelled", file.string(), ""}; }

std::string wordsOf(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string words = zip_error_strerror(&error);
  zip_error_fini(&error);
  return words;
}

// Weights do not get smaller.
bool isDense(const std::string& name) {
  const std::string extension = endingOf(fs::path(name));
  return extension == ".safetensors" || extension == ".gguf" || extension == ".bin";
}

Status addTo(zip_t* archive, const FileToArchive& file) {
  zip_source_t* source = file.file.empty() ? zip_source_buffer(archive, file.text.data(), file.text.size(), 0)
                                           : zip_source_file(archive, file.file.c_str(), 0, -1);
  const zip_int64_t index = source ? zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
  if (index < 0) {
    zip_source_free(source);
    return cannotPack(file.file, zip_strerror(archive));
  }
  const auto at = static_cast<zip_uint64_t>(index);
  constexpr time_t always = 315'532'800;  // 1980, where zip's calendar begins
  zip_set_file_compression(archive, at, isDense(file.name) ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
  zip_file_set_mtime(archive, at, always, 0);
  return success();
}

// The watch of what libzip does at its end, which is all of the work.
struct Closing {
  const ProgressCallback& watch;
  bool goesOn = true;

  static void hear(zip_t*, double share, void* closing) {
    auto& self = *static_cast<Closing*>(closing);
    self.goesOn = self.goesOn && self.watch(static_cast<int>(share * thousandths), thousandths);
  }
  static int isCancelled(zip_t*, void* closing) { return !static_cast<Closing*>(closing)->goesOn; }
};

// In place of what is there; into what is no regular file.
Status put(const fs::path& part, const fs::path& archive) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(archive, error).type();
  if (type == fs::file_type::regular || type == fs::file_type::not_found) {
    fs::rename(part, archive, error);
    return error ? Status(cannotPack(archive, error.message())) : success();
  }
  std::ifstream packed(part, std::ios::binary);
  Status written = writeFile(archive, [&](std::ostream& out) { out << packed.rdbuf(); });
  fs::remove(part, error);
  return written;
}

// What an archive may call a file that is written into a folder of ours.
std::string faultOf(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || name.size() > 1024 || name.find('\\') != std::string::npos)
    return "a file in it is called " + inQuotes(name);
  const bool leadsOut = path.is_absolute() || std::ranges::any_of(path, [](const fs::path& part) {
                          return part == ".." || part == "." || part.empty();
                        });
  return leadsOut ? "the file " + inQuotes(name) + " leads out of its folder" : "";
}

bool isLink(zip_t* archive, zip_uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  zip_file_get_external_attributes(archive, index, 0, &system, &attributes);
  return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

using Receive = std::function<bool(std::span<const char>)>;

// A file's bytes piece by piece: as many as its directory says, with the checksum it says.
Status readFile(zip_t* archive, std::size_t index, const ArchivedFile& file, const fs::path& where,
                const Receive& receive) {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> open(
      zip_fopen_index(archive, index, 0), [](zip_file_t* opened) { return zip_fclose(opened); });
  if (!open) return isDamaged(where, inQuotes(file.name) + ": " + zip_strerror(archive));
  std::vector<char> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(piece, file.bytes + 1)));
  std::uint64_t read = 0;
  for (;;) {
    const zip_int64_t count = zip_fread(open.get(), bytes.data(), bytes.size());
    if (count < 0) return isDamaged(where, inQuotes(file.name) + ": " + zip_file_strerror(open.get()));
    if (count == 0) break;
    read += static_cast<std::uint64_t>(count);
    if (read > file.bytes) return isDamaged(where, inQuotes(file.name) + " is longer than its header says");
    if (!receive({bytes.data(), static_cast<std::size_t>(count)})) return wasCancelled(where);
  }
  if (read < file.bytes) return isDamaged(where, inQuotes(file.name) + " is shorter than its header says");
  return success();
}

}  // namespace

Status writeArchive(const fs::path& archive, const std::vector<FileToArchive>& files,
                    const ProgressCallback& watch) {
  const fs::path part = archive.string() + ".part";
  int code = 0;
  zip_t* const zip = zip_open(part.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!zip) return cannotPack(archive, wordsOf(code));
  for (const FileToArchive& file : files)
    if (Status added = addTo(zip, file); !added) {
      zip_discard(zip);
      return added;
    }
  Closing closing{watch};
  zip_register_progress_callback_with_state(zip, 1.0 / thousandths, Closing::hear, nullptr, &closing);
  zip_register_cancel_callback_with_state(zip, Closing::isCancelled, nullptr, &closing);
  if (zip_close(zip) < 0) {
    const std::string why = zip_strerror(zip);
    zip_discard(zip);
    return closing.goesOn ? cannotPack(archive, why) : wasCancelled(archive);
  }
  return put(part, archive);
}

void Archive::Close::operator()(zip* archive) const { zip_discard(archive); }

Result<Archive> Archive::open(const fs::path& file) {
  Archive opened;
  opened.file_ = file;
  int code = 0;
  opened.zip_.reset(zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (!opened.zip_) return isDamaged(file, wordsOf(code));
  const auto count = static_cast<std::size_t>(zip_get_num_entries(opened.zip_.get(), 0));
  if (count > mostFiles)
    return Error{"this archive holds " + std::to_string(count) + " files", file.string(),
                 "at most " + std::to_string(mostFiles) + " are unpacked"};
  std::vector<std::string> names;
  for (zip_uint64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    constexpr zip_uint64_t asked = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_CRC;
    if (zip_stat_index(opened.zip_.get(), i, 0, &stat) < 0 || (stat.valid & asked) != asked)
      return isDamaged(file, "a file in it has an unknown form");
    const std::string name = stat.name;
    if (const std::string fault = faultOf(name); !fault.empty()) return isDamaged(file, fault);
    if (isLink(opened.zip_.get(), i)) return isDamaged(file, inQuotes(name) + " is a link");
    opened.files_.push_back({name, stat.size, stat.crc});
    names.push_back(name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return isDamaged(file, inQuotes(*twice) + " is there twice");
  return opened;
}

std::string Archive::checksum() const {
  std::string all;
  for (const ArchivedFile& file : files_)
    all += file.name + '\0' + std::to_string(file.bytes) + ' ' + std::to_string(file.checksum) + '\n';
  return digitsOf(crc32Of(all));
}

Result<std::string> Archive::text(const std::string& name, std::size_t limit) const {
  const auto found = std::ranges::find(files_, name, &ArchivedFile::name);
  if (found == files_.end()) return isDamaged(file_, inQuotes(name) + " is missing");
  if (found->bytes > limit) return isDamaged(file_, inQuotes(name) + " is too long");
  std::string text;
  const Status read = readFile(zip_.get(), static_cast<std::size_t>(found - files_.begin()), *found, file_,
                               [&](std::span<const char> bytes) {
                                 text.append(bytes.data(), bytes.size());
                                 return true;
                               });
  return read ? Result<std::string>(std::move(text)) : read.error();
}

Status Archive::unpack(const fs::path& folder, const ProgressCallback& watch) const {
  std::uint64_t all = 0, done = 0;
  for (const ArchivedFile& file : files_) {
    if (all + file.bytes < all) return isDamaged(file_, inQuotes(file.name) + " is longer than anything");
    all += file.bytes;
  }
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && all > space.available - std::min<std::uint64_t>(space.available, roomToSpare))
    return Error{"unpacked it takes " + megabytes(all) + ", and there are " + megabytes(space.available),
                 folder.string(), "make room there"};
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const fs::path target = folder / files_[i].name;
    fs::create_directories(target.parent_path(), error);
    errno = 0;
    std::ofstream out(target, std::ios::binary);
    Status read = readFile(zip_.get(), i, files_[i], file_, [&](std::span<const char> bytes) {
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      done += bytes.size();
      return watch(static_cast<int>(static_cast<double>(done) / static_cast<double>(all) * thousandths),
                   thousandths);
    });
    if (!read) return read;
    if (!out.flush())
      return Error{"could not be written to its end: " + std::generic_category().message(errno),
                   target.string(), "is there room for it?"};
  }
  return success();
}

}  // namespace glassformer
