#pragma once
#include <string>
#include <utility>

namespace glassformer {

/// Work that takes long and can be cancelled. One rule for all of it: what was cancelled is not tried again
/// by itself, and what was there before stays, until something that it depends on changes or it is asked for.
class Cancellable {
 public:
  void decline(std::string doing) { declined_ = std::move(doing); }
  void accept() { declined_.clear(); }
  bool isDeclined() const { return !declined_.empty(); }
  /// What was cancelled: "growing the beam tree".
  const std::string& declined() const { return declined_; }

 private:
  std::string declined_;
};

}  // namespace glassformer
