#include "core/io/recorded_trace.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/io/derived_config.h"
#include "core/io/extents_text.h"
#include "core/model/catalogue.h"
#include "core/model/memory_need.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/available_memory.h"
#include "core/text/id_list.h"
#include "core/text/json_text.h"

namespace glassformer {
namespace {

constexpr std::size_t mostTokens = 1 << 16;

template <typename Number>
std::vector<std::int64_t> wholeNumbers(std::string_view bytes) {
  std::vector<std::int64_t> numbers;
  for (; bytes.size() >= sizeof(Number); bytes.remove_prefix(sizeof(Number))) {
    Number number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<int>> idsOf(const StoredTensor& tensor, const std::string& where) {
  if (tensor.type != "I64" && tensor.type != "I32")
    return Error{"is of type " + tensor.type, where, "ids are whole numbers, I64 or I32"};
  const auto bytes = tensor.bytes();
  if (!bytes) return bytes.error();
  std::vector<int> ids;
  for (const std::int64_t id :
       tensor.type == "I64" ? wholeNumbers<std::int64_t>(*bytes) : wholeNumbers<std::int32_t>(*bytes)) {
    if (id > std::numeric_limits<int>::max()) return Error{"has the id " + std::to_string(id), where, ""};
    ids.push_back(static_cast<int>(std::max<std::int64_t>(id, -1)));
  }
  return ids;
}

// What was read: the text, and of an encoder-decoder the source.
struct IdsRead {
  std::vector<int> text, source;
  int largest() const {
    int most = *std::ranges::max_element(text);
    for (const int id : source) most = std::max(most, id);
    return most;
  }
};

Result<IdsRead> idsRead(const StoredTensors& dump, const std::string& file) {
  auto text = storedIds(dump, "tokens", file), source = storedIds(dump, "source", file);
  if (!text) return text.error();
  if (!source) return source.error();
  if (!*text || (*text)->empty())
    return Error{"has no token ids", file,
                 "write them as a whole-number array \"tokens\", or as metadata \"12,7,300\""};
  return IdsRead{std::move(**text), source->value_or(std::vector<int>())};
}

// What each token stands for; nothing where the file does not say.
Result<std::vector<std::string>> textsIn(const StoredTensors& dump, const std::string& file,
                                         std::size_t tokens) {
  const auto written = dump.metadata().find("texts");
  const StoredTensor* stored = dump.find("texts");
  if (written == dump.metadata().end() && !stored) return std::vector<std::string>{};
  const std::string where = file + ", texts";
  const auto json = stored ? stored->bytes() : Result<std::string>(written->second);
  if (!json) return json.error();
  const auto list = parseJson(*json, where);
  if (!list) return list.error();
  std::vector<std::string> texts;
  for (const auto& text : *list) {
    if (!list->is_array() || !text.is_string()) return Error{"is not a list of strings", where, ""};
    texts.push_back(text.get<std::string>());
  }
  if (!list->is_array() || texts.size() != tokens)
    return Error{"has " + std::to_string(texts.size()) + " entries for " + std::to_string(tokens) + " tokens",
                 where, "one for each"};
  return texts;
}

Status checkIds(const std::vector<int>& ids, int vocabulary, const std::string& where) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] >= vocabulary)
      return Error{"token " + std::to_string(ids[i]) + " at index " + std::to_string(i) + " does not exist",
                   where, "ids go from 0 to " + std::to_string(vocabulary - 1)};
  return success();
}

// Given, or derived; with room for what was read.
Result<ModelConfig> configOf(const StoredTensors& dump, const std::string& file, const IdsRead& ids,
                             const std::optional<ModelConfig>& given) {
  const auto T = static_cast<int>(ids.text.size()), S = static_cast<int>(ids.source.size());
  auto config = given ? Result<ModelConfig>(*given) : derivedConfig(dump, file, T, S);
  if (!config) return config;
  config->context = std::max({config->context, T, S});
  if (!given && !dump.find("logits"))
    config->vocabulary = std::min(ids.largest(), std::numeric_limits<int>::max() - 1) + 1;
  if (Status sizes = checkSizes(*config, file); !sizes) return sizes.error();
  if (config->isEncoderDecoder() && S == 0)
    return Error{"does not say which source was read", file, "write its ids as \"source\""};
  if (Status valid = checkIds(ids.text, config->vocabulary, file + ", tokens"); !valid) return valid.error();
  if (Status valid = checkIds(ids.source, config->vocabulary, file + ", source"); !valid)
    return valid.error();
  return config;
}

// One point after the other, checked and put into a trace.
class PointReader {
 public:
  /// `shaper`: what the shapes have to be like.
  PointReader(const std::string& file, std::string shaper, Trace& trace)
      : file_(file), shaper_(std::move(shaper)), trace_(trace) {}

  Status read(const StoredTensor& stored, const DescribedPoint& described) {
    const std::string where = file_ + ", " + stored.name;
    if (stored.type != "F32" && stored.type != "F16" && stored.type != "BF16")
      return Error{"is of type " + stored.type, where, "points are F32, F16 or BF16; in an npz F64, too"};
    std::vector<std::int64_t> shape = stored.shape;
    while (shape.size() > described.extent.size() && shape.front() == 1) shape.erase(shape.begin());
    if (!std::ranges::equal(shape, described.extent))
      return Error{
          "is " + extentsText(stored.shape) + ", where " + shaper_ + " it " + extentsText(described.extent),
          where, "leading dimensions of 1 are passed over"};
    const auto values = std::make_shared<AlignedVector>(static_cast<std::size_t>(stored.valueCount()));
    if (Status read = stored.read(*values); !read) return read;
    const bool isScores = stored.name.ends_with("hook_attn_scores");
    for (std::size_t i = 0; i < values->size(); ++i)
      if (const float value = (*values)[i]; !std::isfinite(value) && !(isScores && value < 0))
        return Error{std::string("has ") + (std::isnan(value) ? "NaN" : "infinity") + " at " +
                         extentsText(indexOf(i, described.extent)),
                     where, "every number of a pass is finite, but for masked scores"};
    if (isScores) std::ranges::replace_if(*values, isMask, -std::numeric_limits<float>::infinity());
    trace_.add(described.point, TensorView(values->data(), described.extent), values);
    return success();
  }

 private:
  static bool isMask(float score) { return score < maskedScore; }
  static std::vector<std::size_t> indexOf(std::size_t place, const std::vector<int>& extent) {
    std::vector<std::size_t> index(extent.size());
    for (std::size_t d = extent.size(); d-- > 0; place /= static_cast<std::size_t>(extent[d]))
      index[d] = place % static_cast<std::size_t>(extent[d]);
    return index;
  }

  const std::string& file_;
  std::string shaper_;
  Trace& trace_;
};

// Which nonlinearity or norm made a number shapes do not say.
TracePoint asFarAsKnown(TracePoint point, bool isConfigGiven) {
  if (!isConfigGiven && point.name.ends_with("hook_scale"))
    point.meaning = "divisor of the norm for each token", point.equation = "σ";
  return point;
}

}  // namespace

Result<std::optional<std::vector<int>>> storedIds(const StoredTensors& dump, const std::string& name,
                                                  const std::string& file) {
  const StoredTensor* tensor = dump.find(name);
  const auto written = dump.metadata().find(name);
  if (!tensor && written == dump.metadata().end()) return std::optional<std::vector<int>>();
  const std::string where = file + (tensor ? ", " : ", metadata ") + name;
  auto ids = tensor ? idsOf(*tensor, where) : parsedTokens(written->second, where);
  if (!ids) return ids.error();
  if (ids->size() > mostTokens)
    return Error{"has " + std::to_string(ids->size()) + " ids", where, "one text at a time"};
  for (const int id : *ids)
    if (id < 0) return Error{"has the id " + std::to_string(id), where, ""};
  return std::optional(std::move(*ids));
}

Result<RecordedTrace> readRecordedTrace(const StoredTensors& dump, const std::string& file,
                                        const std::optional<ModelConfig>& given,
                                        const ProgressCallback& watch, const std::string& giver) {
  auto ids = idsRead(dump, file);
  if (!ids) return ids.error();
  auto config = configOf(dump, file, *ids, given);
  if (!config) return config.error();
  auto texts = textsIn(dump, file, ids->text.size() + ids->source.size());
  if (!texts) return texts.error();
  double needed = 0;
  for (const StoredTensor& each : dump.tensors())
    if (each.isFloat()) needed += sizeof(float) * static_cast<double>(each.valueCount());
  if (Status fits = checkReadMemory(needed, file, availableMemory()); !fits) return fits.error();
  const std::vector<DescribedPoint> all =
      describedPoints(*config, static_cast<int>(ids->text.size()), static_cast<int>(ids->source.size()));
  RecordedTrace recorded{*config, given.has_value(), {}, std::move(*texts), {}, nullptr};
  auto trace = std::make_shared<Trace>(std::move(ids->text), std::move(ids->source));
  PointReader reader(file, given ? giver + " makes" : "ids and other points make", *trace);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!watch(static_cast<int>(i), static_cast<int>(all.size()))) return Error{"was cancelled", file, ""};
    const StoredTensor* found = dump.find(all[i].point.name);
    if (!found) continue;
    const DescribedPoint described{asFarAsKnown(all[i].point, given.has_value()), all[i].extent};
    if (Status read = reader.read(*found, described); !read) return read.error();
    recorded.points.push_back(found->name);
  }
  if (recorded.points.empty()) return noTracePoints(file);
  for (const StoredTensor& each : dump.tensors())
    if (!trace->contains(each.name) && each.name != "tokens" && each.name != "source" && each.name != "texts")
      recorded.passedOver.push_back(each.name);
  recorded.trace = std::move(trace);
  return recorded;
}

}  // namespace glassformer
