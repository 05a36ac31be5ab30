#include "core/io/safetensors.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// A file put together by hand, as the format describes it.
std::string fileOf(const std::string& header, const std::string& data) {
  std::string file;
  for (int shift = 0; shift < 64; shift += 8)
    file += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> shift & 0xFF);
  return file + header + data;
}

Result<StoredTensors> parse(const std::string& file) {
  return StoredTensors::parse(BinaryFile::of(file, "f"));
}

std::string safetensorsRefusal(const std::string& file) {
  const auto parsed = parse(file);
  return parsed ? "accepted" : parsed.error().message();
}

const std::string twoHeader =
    R"({"__metadata__":{"k":"v"},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},"a":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}})";
const std::string twoData(
    "\x80\x3F\x49\x40"  // 1, 3.140625 as BF16
    "\x00\x00\x80\x3F\x00\x00\x20\xC1",
    12);  // 1, -10 as F32

}  // namespace

TEST_CASE("a file made by hand is read") {
  const std::string file = fileOf(twoHeader, twoData);
  const auto stored = parse(file);
  REQUIRE(stored);
  REQUIRE(stored->tensors().size() == 2);
  CHECK(stored->metadata() == std::map<std::string, std::string>{{"k", "v"}});
  CHECK(stored->find("c") == nullptr);
  const StoredTensor &a = *stored->find("a"), &b = *stored->find("b");
  CHECK(a.shape == std::vector<std::int64_t>{1, 2});
  CHECK(*a.converted() == std::vector<float>{1, 3.140625f});
  CHECK(*b.converted() == std::vector<float>{1, -10});
  CHECK(b.valueCount() == 2);
}

TEST_CASE("half-precision values and single numbers are read") {
  const std::string file =
      fileOf(R"({"x":{"dtype":"F16","shape":[],"data_offsets":[0,2]}})", std::string("\x55\x35", 2));
  const auto stored = parse(file);
  REQUIRE(stored);
  CHECK(*stored->find("x")->converted() == std::vector<float>{0.333251953125f});
}

TEST_CASE("a file cut off at any byte is refused") {
  const std::string file = fileOf(twoHeader, twoData);
  for (std::size_t length = 0; length < file.size(); ++length) {
    INFO(length);
    CHECK(safetensorsRefusal(file.substr(0, length)) != "accepted");
  }
  CHECK_THAT(safetensorsRefusal(file + "x"), ContainsSubstring("1 bytes that belong to no tensor"));
}

TEST_CASE("a file changed at any byte of its header is refused or read, never worse") {
  const std::string file = fileOf(twoHeader, twoData);
  for (std::size_t at = 0; at < file.size() - twoData.size(); ++at)
    for (const int change : {0x01, 0x10, 0x80, 0xFF}) {
      std::string changed = file;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const auto parsed = parse(changed);
      if (!parsed) continue;
      for (const StoredTensor& tensor : parsed->tensors()) {
        REQUIRE(tensor.begin + tensor.size <= changed.size());
        if (tensor.isFloat())
          CHECK(static_cast<std::int64_t>(tensor.converted()->size()) == tensor.valueCount());
      }
    }
}

TEST_CASE("lies about lengths are found before anything is allocated") {
  std::string huge = fileOf(twoHeader, twoData);
  for (int i = 0; i < 8; ++i) huge[static_cast<std::size_t>(i)] = '\xFF';
  CHECK_THAT(safetensorsRefusal(huge),
             ContainsSubstring("says that its header has 18446744073709551615 bytes"));
  const auto one = [](const std::string& entry) {
    return safetensorsRefusal(fileOf("{\"x\":" + entry + "}", "12345678"));
  };
  CHECK_THAT(one(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]})"),
             ContainsSubstring("does not fit"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]})"),
             ContainsSubstring("does not fit"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[0,4611686018427387904],"data_offsets":[0,8]})"),
             ContainsSubstring("does not fit"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,8]})"),
             ContainsSubstring("shape has the entry"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"),
             ContainsSubstring("shape has the entry"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[3],"data_offsets":[0,12]})"),
             ContainsSubstring("leave the file"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"), ContainsSubstring("leave the file"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615]})"),
             ContainsSubstring("leave the file"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0]})"),
             ContainsSubstring("two whole numbers"));
  CHECK_THAT(one(R"({"dtype":"F33","shape":[2],"data_offsets":[0,8]})"),
             ContainsSubstring("\"F33\" is unknown"));
  CHECK_THAT(one(R"({"shape":[2],"data_offsets":[0,8]})"),
             ContainsSubstring("f, tensor \"x\": dtype is missing"));
  CHECK_THAT(one("7"), ContainsSubstring("is not an object"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), ContainsSubstring("accepted"));
}

TEST_CASE("overlaps and gaps are refused") {
  const auto two = [](const char* a, const char* b) {
    const std::string rest = R"(,"dtype":"U8","shape":[4]})";
    return safetensorsRefusal(fileOf(
        std::string("{\"a\":{\"data_offsets\":") + a + rest + ",\"b\":{\"data_offsets\":" + b + rest + "}",
        "12345678"));
  };
  CHECK(two("[0,4]", "[4,8]") == "accepted");
  CHECK(two("[4,8]", "[0,4]") == "accepted");
  CHECK_THAT(two("[0,4]", "[3,7]"), ContainsSubstring("overlaps"));
  CHECK_THAT(two("[0,4]", "[0,4]"), ContainsSubstring("overlaps"));
  CHECK_THAT(two("[1,5]", "[4,8]"), ContainsSubstring("unused bytes"));
  CHECK_THAT(safetensorsRefusal(fileOf("[]", "")), ContainsSubstring("not a JSON object"));
  CHECK_THAT(safetensorsRefusal(fileOf(std::string(1000000, '['), "")), ContainsSubstring("nested deeper"));
  CHECK_THAT(safetensorsRefusal(fileOf(R"({"__metadata__":{"k":1}})", "")),
             ContainsSubstring("__metadata__"));
}

TEST_CASE("tensors are written, strided ones too, and read back as they were") {
  const TemporaryFolder folder;
  const Tensor matrix({2, 3}, {1, 2, 3, 4, 5, 6}), vector({2}, {-1.5f, 1e-30f}), single({}, {7});
  const TensorView column(matrix.view().data + 1, {2}, {3});
  REQUIRE(writeSafetensors(folder / "f",
                           std::vector<NamedTensor>{{"m", matrix.view()},
                                                    {"blocks.0.hook_z", vector.view()},
                                                    {"column", column},
                                                    {"one", single.view()}},
                           {{"format", "pt"}, {"text", "größer \"\n"}}));
  const auto stored = StoredTensors::open(folder / "f");
  REQUIRE(stored);
  CHECK(stored->metadata().at("text") == "größer \"\n");
  CHECK(stored->find("m")->shape == std::vector<std::int64_t>{2, 3});
  CHECK(*stored->find("m")->converted() == matrix.values());
  CHECK(*stored->find("blocks.0.hook_z")->converted() == vector.values());
  CHECK(*stored->find("column")->converted() == std::vector<float>{2, 5});
  CHECK(stored->find("one")->shape.empty());
  CHECK(stored->find("m")->begin % 64 == 0);
}

TEST_CASE("an empty set of tensors is a file too") {
  const TemporaryFolder folder;
  REQUIRE(writeSafetensors(folder / "f", {}));
  const auto stored = StoredTensors::open(folder / "f");
  REQUIRE(stored);
  CHECK(stored->tensors().empty());
}
