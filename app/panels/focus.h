#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/scene/geometry.h"

namespace glassformer {

/// Which control the keyboard is on. Everything that can be clicked reports itself in drawing order while a
/// frame is built; Tab moves along that order. The pointer takes the mark away, the keyboard brings it back.
class Focus {
 public:
  void beginFrame();
  /// A control that can be reached, by a name that stays. True where the mark is on it.
  bool stop(const std::string& name);
  /// Whether the control with the mark is to do what a click does.
  bool activated() const { return activated_; }

  bool active() const { return !name_.empty(); }
  const std::string& name() const { return name_; }
  /// To the next stop (1) or the previous one (-1), around the ends.
  void move(int by);
  void activate() { pendingActivation_ = true; }
  void clear() { name_.clear(); }
  /// On the control of that name.
  void put(std::string name) { name_ = std::move(name); }
  /// Whose the letters are that are typed while nothing is edited: keys of the pictures, once one of them was
  /// clicked, else the text's.
  bool isOnPictures() const { return onPictures_; }
  void putOnPictures(bool on) { onPictures_ = on; }
  /// While an overlay is open, only what it draws can be reached. Panels below report themselves in between.
  void enclose(bool inside) { inside_ = inside, enclosed_ |= inside; }

 private:
  const std::vector<std::string>& reachable() const { return enclosed_ ? above_ : stops_; }

  std::string name_;
  std::vector<std::string> stops_, above_;  ///< of this frame: everywhere, and in the overlay
  bool inside_ = false, enclosed_ = false;
  bool activated_ = false, pendingActivation_ = false;
  bool onPictures_ = false;
};

}  // namespace glassformer
