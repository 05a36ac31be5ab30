#include "core/lens/stream_without.h"

#include <utility>

#include "core/lens/head_matrices.h"

namespace glassformer {
namespace {

using Kind = ContributionPart::Kind;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

StreamRows asRows(const RowMajor& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

// The way of one stream, stage by stage.
class WayWithout {
 public:
  WayWithout(const Transformer& model, const Trace& trace, const std::vector<WrittenBy>& written)
      : model_(model), trace_(trace), written_(written) {}

  std::vector<StageWithout> to(int layer) {
    const ModelConfig& config = model_.config();
    const AttentionSite own = ownSite(config);
    add(blockPoint(config, 0, "hook_resid_pre"), "", beginsStream);
    for (int i = 0; i < layer; ++i) {
      const std::string block = "h." + std::to_string(i) + ".";
      const auto isOf = [i](Kind kind, AttentionSite site) {
        return [=](const ContributionPart& part) {
          return part.kind == kind && part.head.layer == i && (kind == Kind::Mlp || part.head.site == site);
        };
      };
      add(attentionOutPoint(i, own), block + "ln_1", isOf(Kind::Head, own));
      if (config.isEncoderDecoder())
        add(attentionOutPoint(i, AttentionSite::Cross), block + "ln_cross_attn",
            isOf(Kind::Head, AttentionSite::Cross));
      if (config.hasFeedForward())
        add(blockPoint(config, i, "hook_mlp_out"), block + "ln_2", isOf(Kind::Mlp, own));
    }
    return std::move(stages_);
  }

 private:
  void add(const std::string& added, const std::string& norm, const auto& isWrittenHere) {
    StageWithout stage{added, {}, norm, {}, {}};
    RowMajor sum = mappedWeights(trace_[added]).cast<double>();
    const auto asMatrix = [&](const StreamRows& rows) {
      return Eigen::Map<const RowMajor>(rows.data(), sum.rows(), sum.cols());
    };
    if (!stages_.empty()) sum += asMatrix(stages_.back().stream);
    for (const auto& [sender, rows] : written_)
      if (isWrittenHere(sender)) sum -= asMatrix(rows), stage.lost.push_back(sender);
    stage.sum = asRows(sum);
    stage.stream = norm.empty() ? stage.sum : asRows(normalizedBy(model_, norm, sum));
    stages_.push_back(std::move(stage));
  }

  const Transformer& model_;
  const Trace& trace_;
  const std::vector<WrittenBy>& written_;
  std::vector<StageWithout> stages_;
};

}  // namespace

bool beginsStream(const ContributionPart& part) {
  return part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
}

std::vector<StageWithout> streamWithout(const Transformer& model, const Trace& trace,
                                        const std::vector<WrittenBy>& written, int layer) {
  return WayWithout(model, trace, written).to(layer);
}

}  // namespace glassformer
