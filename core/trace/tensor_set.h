#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tensor/derivation.h"
#include "core/tensor/tape.h"
#include "core/tensor/tensor.h"
#include "core/trace/across_passes.h"

namespace glassformer {

/// What a named tensor is: everything hover, export and documentation say about it.
struct TracePoint {
  std::string name;            ///< "blocks.0.attn.hook_pattern"
  std::string letters;         ///< one dimension letter per rank: "HTS"
  std::string meaning;         ///< one line: "how much each query attends to each key"
  std::string equation;        ///< "A = softmax(mask(q·kᵀ/√K))"
  Stream rows = Stream::Text;  ///< whose tokens T counts
  Stream keys = Stream::Text;  ///< whose tokens S counts
};

/// What the tensors of a set are, in their order, and where each name stands in it.
struct TracePoints {
  std::vector<TracePoint> all;
  std::unordered_map<std::string, int> places;

  void add(TracePoint point);
};

/// An ordered, immutable list of named tensors. The trace of a forward pass is one; what the lenses measure
/// on it is another, so a picture can refer to either by name.
class TensorSet {
 public:
  TensorSet() = default;
  TensorSet(const TensorSet&) = default;
  TensorSet& operator=(const TensorSet&) = default;
  virtual ~TensorSet() = default;

  int count() const { return static_cast<int>(tensors_.size()); }
  const TracePoint& point(int i) const { return points_->all[static_cast<std::size_t>(i)]; }
  TensorView tensor(int i) const {
    const TensorView& tensor = tensors_[static_cast<std::size_t>(i)];
    materialize(tensor.data);
    return tensor;
  }
  /// Whether it is there, so that tensor() takes no time.
  bool isMade(int i) const { return isThere(tensors_[static_cast<std::size_t>(i)].data); }
  /// Index of a name, or -1.
  int find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) >= 0; }
  /// The tensor of a name that must be there.
  TensorView operator[](std::string_view name) const;
  /// Shows that tensor for as long as `look` takes, which reads no other: what had to be made anew for it is
  /// not kept.
  void lookAt(std::string_view name, const std::function<void(const TensorView&)>& look) const;

  /// Which of the tensors a number belongs to, and where in it it stands.
  struct Located {
    int tensor = 0;
    std::array<int, maxRank> index{};
  };
  std::optional<Located> locate(Cell cell) const;

  /// What made a number; nothing where the set has no such number, or nothing is known of it.
  virtual std::optional<Derivation> derive(const std::string& name,
                                           const std::array<int, maxRank>& index) const;

  /// What runs the passes again that a number was measured across; empty where there are none. Both or
  /// neither of derive() and this may know of a number: what derive() says takes no pass.
  OpenPasses across(const std::string& name, const std::array<int, maxRank>& index) const;

  /// Adds a tensor that lives at least as long as `owner`.
  void add(TracePoint point, TensorView tensor, std::shared_ptr<const void> owner);
  /// Adds a tensor the set keeps itself. `derivation` says of an index what made the number there, where that
  /// is known.
  using DerivationOf = std::function<std::optional<Derivation>(const std::array<int, maxRank>&)>;
  void add(TracePoint point, Tensor tensor, DerivationOf derivation = nullptr);
  /// The same of a tensor whose numbers compare passes; of some, `derivation` may know without.
  using AcrossOf = std::function<OpenPasses(const std::array<int, maxRank>&)>;
  void addAcross(TracePoint point, Tensor tensor, AcrossOf across, DerivationOf derivation = nullptr);
  /// Adds what another set has and this one lacks, each with what made it.
  void addMissing(const TensorSet& other);

 protected:
  /// Of points that were described before, as one pass after the other has them; `tensors`, one for each,
  /// live at least as long as `owner`.
  TensorSet(std::shared_ptr<TracePoints> points, std::vector<TensorView> tensors,
            std::shared_ptr<const void> owner)
      : points_(std::move(points)), tensors_(std::move(tensors)), owners_{std::move(owner)} {}
  virtual bool isThere(Cell /*cell*/) const { return true; }
  /// Called before somebody reads what lies there.
  virtual void materialize(Cell /*cell*/) const {}
  virtual void makeFor(Cell /*cell*/, const std::function<void()>& look) const { look(); }

 private:
  // Sets share them; one that adds to them has its own from then on.
  std::shared_ptr<TracePoints> points_ = std::make_shared<TracePoints>();
  std::vector<TensorView> tensors_;
  std::vector<std::shared_ptr<const void>> owners_;
  std::unordered_map<int, DerivationOf> derivations_;
  std::unordered_map<int, AcrossOf> across_;
};

}  // namespace glassformer
