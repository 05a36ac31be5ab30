#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer {

/// A fixed region of the window. The base class owns Begin and End, so a panel only says what is inside;
/// widget state lives in members of the panel.
class Panel {
 public:
  explicit Panel(std::string name) : name_(std::move(name)) {}
  virtual ~Panel() = default;
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  /// `above`: over the other panels, as a drawer.
  void draw(Ui& ui, const Box& where, bool above = false);
  const std::string& name() const { return name_; }

 protected:
  virtual void content(Ui& ui, const Box& area) = 0;
  virtual Rgba background(const Theme& theme) const { return theme.panel; }

 private:
  std::string name_;
};

}  // namespace glassformer
