#include "core/io/parameter_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

#include "core/io/extents_text.h"
#include "core/io/number_formats.h"
#include "core/model/memory_need.h"

namespace glassformer {
namespace {

constexpr const char* otherModel = "config.json and the weights belong to different models";

// All exponent bits set: infinity or NaN.
bool isFinite(float value) {
  constexpr std::uint32_t exponent = 0x7F800000u;
  return (std::bit_cast<std::uint32_t>(value) & exponent) != exponent;
}

// Looked through by stretches, without a branch in each.
std::optional<std::int64_t> firstNotFinite(std::span<const float> values) {
  constexpr std::size_t stretch = 4096;
  for (std::size_t begin = 0; begin < values.size(); begin += stretch) {
    const auto some = values.subspan(begin, std::min(stretch, values.size() - begin));
    bool areFinite = true;
    for (const float value : some) areFinite &= isFinite(value);
    if (!areFinite)
      return std::ranges::find_if_not(some, isFinite) - some.begin() + static_cast<std::int64_t>(begin);
  }
  return std::nullopt;
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
    return Error{"has the type " + place.tensor->type + "; " + readableFormats, where, ""};
  if (!isShaped(*place.tensor, asked))
    return Error{
        "has the shape " + extentsText(place.tensor->shape) + ", config.json asks for " + extentsText(asked),
        where, otherModel};
  return success();
}

// All values of a tensor, if they are finite.
Status readFinite(const StoredModel::Place& place, std::span<float> values) {
  if (Status read = place.tensor->read(values); !read) return read;
  const auto index = firstNotFinite(values);
  if (!index) return success();
  return Error{"is not finite at index " + indexText(*index, place.tensor->shape) + ": " +
                   std::to_string(values[static_cast<std::size_t>(*index)]),
               place.file + ", tensor " + place.tensor->name,
               "the training that made it diverged, or the file is damaged"};
}

// to[i * apart + j] is number i of row rowOf(j) of [columns, length], by stretches that stay in the cache.
template <typename RowOf>
void turn(const float* from, int length, int columns, RowOf rowOf, float* to, std::ptrdiff_t apart) {
  constexpr int side = 32;
  for (int i0 = 0; i0 < length; i0 += side)
    for (int j = 0; j < columns; ++j) {
      const float* row = from + static_cast<std::ptrdiff_t>(rowOf(j)) * length;
      for (int i = i0; i < std::min(i0 + side, length); ++i) to[i * apart + j] = row[i];
    }
}

bool isMatrix(const ParameterSpec& spec) { return spec.extent.size() == 2; }

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

Result<Parameters> ParameterReader::read(const ProgressCallback& watch, double available) {
  if (Status status = checkLayers(); !status) return status.error();
  const auto specs = parameterSpecs(config_);
  for (const ParameterSpec& spec : specs)
    if (Status status = checkPieces(spec); !status) return status.error();
  if (Status status = checkAllUsed(); !status) return status.error();
  if (Status status = checkReadMemory(weightBytes(config_), stored_.file(), available); !status)
    return status.error();
  Parameters parameters(specs);
  for (int i = 0; i < parameters.count(); ++i) {
    if (!watch(i, parameters.count())) return Error{"reading was cancelled", stored_.file(), ""};
    if (Status status =
            take(specs[static_cast<std::size_t>(i)], parameters.values().data() + parameters.offset(i));
        !status)
      return status.error();
  }
  watch(parameters.count(), parameters.count());
  return parameters;
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

// Whether the file has it [out, in].
bool ParameterReader::isTurned(const ParameterSpec& spec) const {
  return isMatrix(spec) && format_.transposed && !isTable(spec.name);
}

// Whether the file has its numbers in their order, in one tensor.
bool ParameterReader::isWhole(const ParameterSpec& spec, const std::vector<StoredPiece>& pieces) const {
  return pieces.size() == 1 && !isTurned(spec) && !isReordered(spec);
}

Status ParameterReader::checkPieces(const ParameterSpec& spec) {
  const std::vector<StoredPiece> pieces = piecesOf(format_, config_, spec);
  for (const StoredPiece& piece : pieces) {
    const auto place = findStored(stored_, format_, piece.tensor);
    if (!place.tensor) return Error{"the tensor " + piece.tensor + " is missing", place.file, ""};
    std::vector<std::int64_t> asked{piece.columns};
    if (isWhole(spec, pieces))
      asked.assign(spec.extent.begin(), spec.extent.end()), asked.front() += rowsBeforeFirst(spec);
    else if (isMatrix(spec))
      asked.push_back(spec.extent[0]);
    if (Status status = check(place, asked); !status) return status;
    used_.insert(place.tensor);
  }
  return success();
}

// Of a table of positions from the first token's row on.
Status ParameterReader::take(const ParameterSpec& spec, float* values) const {
  const std::vector<StoredPiece> pieces = piecesOf(format_, config_, spec);
  const auto place = findStored(stored_, format_, pieces.front().tensor);
  if (!isWhole(spec, pieces)) {
    int number = 0, column = 0;
    for (const StoredPiece& piece : pieces) {
      if (Status status = takePiece(spec, piece, number++, values + column); !status) return status;
      column += piece.columns;
    }
    return success();
  }
  const auto count = static_cast<std::size_t>(place.tensor->valueCount());
  const auto before = static_cast<std::ptrdiff_t>(rowsBeforeFirst(spec)) * spec.extent.back();
  std::vector<float> all(before > 0 ? count : 0);
  const std::span<float> to = before > 0 ? std::span(all) : std::span(values, count);
  if (Status status = readFinite(place, to); !status) return status;
  if (before > 0) std::copy(all.begin() + before, all.end(), values);
  if (isFromOne(spec))
    for (float& value : to) value += 1;
  return success();
}

// Into columns of the parameter, from the rows of a matrix [out, in] or the entries of a vector [out].
Status ParameterReader::takePiece(const ParameterSpec& spec, const StoredPiece& piece, int number,
                                  float* values) const {
  const auto place = findStored(stored_, format_, piece.tensor);
  std::vector<float> stored(static_cast<std::size_t>(place.tensor->valueCount()));
  if (Status status = readFinite(place, stored); !status) return status;
  const bool reordered = isReordered(spec);
  turn(
      stored.data(), isMatrix(spec) ? spec.extent[0] : 1, piece.columns,
      [&](int j) { return reordered ? format_.attentionRow(config_, number, j) : j; }, values,
      spec.extent.back());
  return success();
}

}  // namespace glassformer
