#include "core/io/parameter_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/io/extents_text.h"
#include "core/io/files.h"
#include "core/io/mapped_file.h"

namespace glassformer {
namespace {

constexpr const char* otherModel = "config.json and the weights belong to different models";

// All exponent bits set: infinity or NaN.
bool isFinite(float value) {
  constexpr std::uint32_t exponent = 0x7F800000u;
  return (std::bit_cast<std::uint32_t>(value) & exponent) != exponent;
}

// Of 16 bits: likewise.
template <PackedFormat format>
bool isFinite(SixteenBits bits) {
  constexpr SixteenBits exponent = format == PackedFormat::Bfloat16 ? 0x7F80u : 0x7C00u;
  return (bits & exponent) != exponent;
}

// Looked through by stretches, without a branch in each.
template <typename IsFiniteAt>
std::optional<std::int64_t> firstNotFinite(std::int64_t count, IsFiniteAt isFiniteAt) {
  constexpr std::int64_t stretch = 4096;
  for (std::int64_t begin = 0; begin < count; begin += stretch) {
    const std::int64_t end = std::min(count, begin + stretch);
    bool areFinite = true;
    for (std::int64_t i = begin; i < end; ++i) areFinite &= isFiniteAt(i);
    for (std::int64_t i = begin; !areFinite; ++i)
      if (!isFiniteAt(i)) return i;
  }
  return std::nullopt;
}

// Of a block that is not finite its first number is the first.
template <PackedFormat format>
std::optional<std::int64_t> firstNotFinite(PackedVector numbers, std::int64_t count) {
  constexpr bool inBlocks = format == PackedFormat::Blocks;
  constexpr std::int64_t each = inBlocks ? NumberBlock::numbers : 1,
                         bytes = inBlocks ? NumberBlock::bytes : sizeof(SixteenBits);
  const auto first = firstNotFinite(
      count / each, [&](std::int64_t i) { return isFinite<format>(sixteenBitsAt(numbers + i * bytes)); });
  return first ? std::optional(*first * each) : std::nullopt;
}

std::string indexText(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  if (shape.size() < 2) return extentsText(std::vector<std::int64_t>{flat});
  return extentsText(std::vector<std::int64_t>{flat / shape[1], flat % shape[1]});
}

// A vector may be stored as a matrix of one row.
bool isShaped(const StoredTensor& tensor, const std::vector<std::int64_t>& asked) {
  const auto& shape = tensor.shape;
  const bool isRow = asked.size() == 1 && shape.size() == 2 && shape[0] == 1 && shape[1] == asked[0];
  return isRow || shape == asked;
}

// What the file says of a tensor against what config.json asks for.
Status check(const StoredModel::Place& place, const std::vector<std::int64_t>& asked) {
  const std::string where = place.file + ", tensor " + place.tensor->name;
  if (!place.tensor->isFloat())
    return Error{"has the type " + place.tensor->type +
                     "; F32, F16, BF16, Q8_0, Q4_0 to Q5_1 and Q2_K to Q6_K can be read",
                 where, ""};
  if (!isShaped(*place.tensor, asked))
    return Error{
        "has the shape " + extentsText(place.tensor->shape) + ", config.json asks for " + extentsText(asked),
        where, otherModel};
  return success();
}

Error notFinite(const StoredModel::Place& place, std::int64_t index, double value) {
  return {"is not finite at index " + indexText(index, place.tensor->shape) + ": " + std::to_string(value),
          place.file + ", tensor " + place.tensor->name,
          "the training that made it diverged, or the file is damaged"};
}

Status checkFinite(const StoredModel::Place& place, const float* values) {
  const auto index =
      firstNotFinite(place.tensor->valueCount(), [&](std::int64_t i) { return isFinite(values[i]); });
  if (!index) return success();
  return notFinite(place, *index, values[*index]);
}

Status checkFinitePacked(const StoredModel::Place& place) {
  using enum PackedFormat;
  const PackedVector numbers = place.tensor->packed();
  const PackedFormat format = place.tensor->format();
  const auto first = format == Bfloat16 ? firstNotFinite<Bfloat16>
                     : format == Half   ? firstNotFinite<Half>
                                        : firstNotFinite<Blocks>;
  const auto index = first(numbers, place.tensor->valueCount());
  if (!index) return success();
  return notFinite(place, *index, readingOf(format)(numbers, static_cast<std::size_t>(*index)));
}

// [columns, rows] from [rows, columns], by squares that stay in the cache.
std::vector<SixteenBits> transposed(PackedVector values, int rows, int columns) {
  constexpr int side = 64;
  std::vector<SixteenBits> turned(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int i0 = 0; i0 < rows; i0 += side)
    for (int j0 = 0; j0 < columns; j0 += side)
      for (int j = j0; j < std::min(j0 + side, columns); ++j)
        for (int i = i0; i < std::min(i0 + side, rows); ++i)
          turned[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)] =
              sixteenBitsAt(values + (static_cast<std::ptrdiff_t>(i) * columns + j) * 2);
  return turned;
}

bool isMatrix(const ParameterSpec& spec) { return spec.extent.size() == 2; }

TensorView viewOf(const ParameterSpec& spec, const float* values) {
  return isMatrix(spec) ? TensorView(values, {spec.extent[0], spec.extent[1]})
                        : TensorView(values, {spec.extent[0]});
}

}  // namespace

StoredModel::Place findStored(const StoredModel& stored, const ModelFormat& format, const std::string& name) {
  for (const std::string& prefix : format.prefixes)
    if (auto place = stored.find(prefix + name); place.tensor) return place;
  for (const auto& [usual, other] : format.otherEndings) {
    if (!name.ends_with(usual)) continue;
    const std::string called = name.substr(0, name.size() - usual.size()) + other;
    for (const std::string& prefix : format.prefixes)
      if (auto place = stored.find(prefix + called); place.tensor) return place;
  }
  return {nullptr, stored.file()};
}

Result<Parameters> ParameterReader::read(const ProgressCallback& watch) {
  if (Status status = checkLayers(); !status) return status.error();
  auto specs = parameterSpecs(config_);
  std::vector<StoredParameter> parameters;
  const auto count = static_cast<int>(specs.size());
  for (const ParameterSpec& spec : specs) {
    if (!watch(static_cast<int>(parameters.size()), count))
      return Error{"reading was cancelled", stored_.file(), ""};
    const auto parameter = take(spec);
    if (!parameter) return parameter.error();
    parameters.push_back(*parameter);
  }
  if (Status status = checkAllUsed(); !status) return status.error();
  for (const auto& [tensor, file] : stored_.all())
    if (const auto cut = MappedFile::cutAt(tensor->bytes.data())) return cutShort(*cut);
  watch(count, count);
  const auto owner = std::make_shared<Owner>(
      Owner{stored_.owners(), std::move(made_), std::move(turned_), std::move(kept_)});
  return Parameters(std::move(specs), std::move(parameters), owner);
}

std::string_view ParameterReader::withoutPrefix(std::string_view name) const {
  for (const std::string& prefix : format_.prefixes)
    if (!prefix.empty() && name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

bool ParameterReader::isInLayer(std::string_view name) const {
  const std::string& encoder = format_.encoderLayers;
  return name.starts_with(format_.layers) || (!encoder.empty() && name.starts_with(encoder));
}

// Weights of layers that the config does not count would be left out silently.
Status ParameterReader::checkLayers() const {
  for (const auto& [tensor, file] : stored_.all()) {
    std::string_view name = withoutPrefix(tensor->name);
    if (!isInLayer(name)) continue;
    const bool ofEncoder = !name.starts_with(format_.layers);
    name.remove_prefix((ofEncoder ? format_.encoderLayers : format_.layers).size());
    const int count = ofEncoder ? config_.encoderBlocks() : config_.layers;
    int layer = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), layer);
    if (parsed.ec == std::errc() && layer >= count)
      return Error{"has weights of layer " + std::to_string(layer) + ", but config.json counts " +
                       std::to_string(count),
                   file, otherModel};
  }
  return success();
}

// Nor would a bias that the config knows nothing of be missed by anybody.
Status ParameterReader::checkAllUsed() const {
  for (const auto& [tensor, file] : stored_.all()) {
    const std::string_view name = withoutPrefix(tensor->name);
    const bool isSkipped = std::ranges::any_of(
        format_.skipped, [&](const std::string& ending) { return name.ends_with(ending); });
    if (isInLayer(name) && !isSkipped && !used_.contains(tensor))
      return Error{"is in a layer, but a " + format_.name + " with this config.json has no use for it",
                   file + ", tensor " + tensor->name, otherModel};
  }
  return success();
}

Result<StoredParameter> ParameterReader::take(const ParameterSpec& spec) {
  const std::vector<StoredPiece> pieces = piecesOf(format_, config_, spec);
  const bool isTurned = isMatrix(spec) && format_.transposed && !isTable(spec.name);
  const bool isWhole = pieces.size() == 1 && !isTurned && !isReordered(spec);
  const bool liesInVectors = isTurned || isTable(spec.name);
  const auto format = isMatrix(spec) ? keptAs(pieces) : std::nullopt;
  const bool isTurnable = isWhole && format != PackedFormat::Blocks;  // a block lies along its row
  if (format && (liesInVectors || isTurnable)) {
    const auto kept = liesInVectors ? keep(spec, pieces) : keepTurned(spec, pieces[0]);
    if (!kept) return kept.error();
    if (*kept) return StoredParameter{viewOf(spec, (*kept)->values()), (*kept)->vectors(), (*kept)->format()};
  }
  const auto view = isWhole ? takeWhole(spec, pieces[0].tensor) : takeTurned(spec, pieces);
  if (!view) return view.error();
  return StoredParameter{*view};
}

// Nothing where one is missing, is float32 or in another format than the others.
std::optional<PackedFormat> ParameterReader::keptAs(const std::vector<StoredPiece>& pieces) const {
  std::optional<PackedFormat> format;
  for (const StoredPiece& piece : pieces) {
    const StoredTensor* tensor = findStored(stored_, format_, piece.tensor).tensor;
    if (!tensor || !tensor->packed() || (format && format != tensor->format())) return std::nullopt;
    format = tensor->format();
  }
  return format;
}

// The vectors where they lie. nullptr: no more can be kept so.
Result<std::shared_ptr<const PackedMatrix>> ParameterReader::keep(const ParameterSpec& spec,
                                                                  const std::vector<StoredPiece>& pieces) {
  const bool table = isTable(spec.name);
  const int rowsBefore = rowsBeforeFirst(spec), length = table ? spec.extent[1] : spec.extent[0];
  std::vector<PackedVector> vectors;
  int number = 0;
  for (const StoredPiece& piece : pieces) {
    const auto place = findStored(stored_, format_, piece.tensor);
    const int count = table ? spec.extent[0] : piece.columns;
    if (Status status = check(place, {rowsBefore + count, length}); !status) return status.error();
    used_.insert(place.tensor);
    if (Status status = checkFinitePacked(place); !status) return status.error();
    const std::size_t bytes = packedBytes(place.tensor->format(), static_cast<std::size_t>(length));
    for (int j = 0; j < count; ++j) {
      const int row = isReordered(spec) ? format_.attentionRow(config_, number, j) : rowsBefore + j;
      vectors.push_back(place.tensor->packed() + static_cast<std::size_t>(row) * bytes);
    }
    ++number;
  }
  return keepVectors(spec, findStored(stored_, format_, pieces[0].tensor).tensor->format(),
                     std::move(vectors));
}

// Its columns, each side by side, from rows that lie so in the file.
Result<std::shared_ptr<const PackedMatrix>> ParameterReader::keepTurned(const ParameterSpec& spec,
                                                                        const StoredPiece& piece) {
  const auto place = findStored(stored_, format_, piece.tensor);
  const int in = spec.extent[0], out = spec.extent[1];
  if (Status status = check(place, {in, out}); !status) return status.error();
  used_.insert(place.tensor);
  if (Status status = checkFinitePacked(place); !status) return status.error();
  const SixteenBits* turned = turned_.emplace_back(transposed(place.tensor->packed(), in, out)).data();
  std::vector<PackedVector> vectors;
  for (std::ptrdiff_t j = 0; j < out; ++j) vectors.push_back(reinterpret_cast<PackedVector>(turned + j * in));
  auto kept = keepVectors(spec, place.tensor->format(), std::move(vectors));
  if (!kept) turned_.pop_back();
  return kept;
}

std::shared_ptr<const PackedMatrix> ParameterReader::keepVectors(const ParameterSpec& spec,
                                                                 PackedFormat format,
                                                                 std::vector<PackedVector> vectors) {
  using Vectors = PackedMatrix::Vectors;
  const bool table = isTable(spec.name);
  auto kept = PackedMatrix::create(std::move(vectors), format, spec.extent[table ? 1 : 0],
                                   table ? Vectors::Rows : Vectors::Columns);
  if (kept) kept_.push_back(kept);
  return kept;
}

Result<TensorView> ParameterReader::takeTurned(const ParameterSpec& spec,
                                               const std::vector<StoredPiece>& pieces) {
  std::vector<float> values(static_cast<std::size_t>(spec.extent[0]) *
                            static_cast<std::size_t>(isMatrix(spec) ? spec.extent[1] : 1));
  int column = 0, number = 0;
  for (const StoredPiece& piece : pieces) {
    if (Status status = copy(spec, piece, number++, column, values); !status) return status.error();
    column += piece.columns;
  }
  return viewOf(spec, made_.emplace_back(std::move(values)).data());
}

// As it lies there; of a table of positions, from the first token's row on.
Result<TensorView> ParameterReader::takeWhole(const ParameterSpec& spec, const std::string& tensor) {
  const auto place = findStored(stored_, format_, tensor);
  if (!place.tensor) return Error{"the tensor " + tensor + " is missing", place.file, ""};
  const int rowsBefore = rowsBeforeFirst(spec);
  std::vector<std::int64_t> asked{spec.extent.begin(), spec.extent.end()};
  asked.front() += rowsBefore;
  if (Status status = check(place, asked); !status) return status.error();
  used_.insert(place.tensor);
  const float* values = place.tensor->borrowed();
  if (!values) values = made_.emplace_back(place.tensor->converted()).data();
  if (Status status = checkFinite(place, values); !status) return status.error();
  if (isFromOne(spec)) {
    std::vector<float> whole(values, values + place.tensor->valueCount());
    for (float& value : whole) value += 1;
    values = made_.emplace_back(std::move(whole)).data();
  }
  return viewOf(spec, values + static_cast<std::ptrdiff_t>(rowsBefore) * spec.extent.back());
}

// Into columns of the parameter, from the rows of a matrix [out, in] or the entries of a vector [out].
Status ParameterReader::copy(const ParameterSpec& spec, const StoredPiece& piece, int number, int firstColumn,
                             std::vector<float>& values) {
  const auto place = findStored(stored_, format_, piece.tensor);
  if (!place.tensor) return Error{"the tensor " + piece.tensor + " is missing", place.file, ""};
  const std::int64_t in = isMatrix(spec) ? spec.extent[0] : 1, columns = spec.extent.back();
  std::vector<std::int64_t> asked{piece.columns};
  if (isMatrix(spec)) asked.push_back(in);
  if (Status status = check(place, asked); !status) return status;
  used_.insert(place.tensor);
  std::vector<float> converted;
  const float* stored = place.tensor->borrowed();
  if (!stored) converted = place.tensor->converted(), stored = converted.data();
  if (Status status = checkFinite(place, stored); !status) return status;
  const bool reordered = isReordered(spec);
  for (int j = 0; j < piece.columns; ++j) {
    const std::int64_t row = reordered ? format_.attentionRow(config_, number, j) : j;
    for (std::int64_t i = 0; i < in; ++i)
      values[static_cast<std::size_t>(i * columns + firstColumn + j)] = stored[row * in + i];
  }
  return success();
}

}  // namespace glassformer
