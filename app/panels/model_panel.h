#pragma once
#include <string>
#include <vector>

#include "app/document/model_changes.h"
#include "app/panels/overlay.h"

namespace glassformer {

/// "Passes take 1.5 GB; scores and patterns are recomputed."
std::string memoryWords(const PassMemory& memory);

/// Every choice of the model's config: what it is, its options with their equations, and what making it
/// otherwise would cost. A choice takes effect at once.
class ModelPanel : public Overlay {
 public:
  static constexpr const char* memoryField = "Memory limit, GB";

  ModelPanel() : Overlay("Model") {}
  /// Opens on this choice or number.
  void begin(const std::string& field) { chosen_ = field, open(); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {900, 600}; }
  void content(Ui& ui, const Box& area) override;

 private:
  /// A field as the list shows it.
  struct Field {
    std::string_view section;  ///< of the model, by name
    std::string id, name, meaning, value, shown;
    bool changed = false;
  };
  /// A value that the chosen field can have.
  struct Option {
    std::string value, name, meaning, equation;
  };
  static std::vector<Field> fields(const Snapshot& snapshot, const ModelChanges& changes);
  static std::vector<Option> weightsToTry();
  static std::vector<Option> options(const Field& field, const ModelConfig& config);
  void title(Ui& ui, Box area);
  void parts(Ui& ui, Box area, const std::vector<Field>& all);
  void list(Ui& ui, Box area, const std::vector<Field>& all, std::string_view section);
  void details(Ui& ui, Box area, const Field& field) const;
  void anyNumber(Ui& ui, const Box& box, const ConfigNumber& number) const;
  void option(Ui& ui, const Box& box, const Field& field, const Option& option) const;
  void summary(Ui& ui, Box area) const;
  void memory(Ui& ui, Box row) const;

  std::string chosen_ = "norm_placement";
};

}  // namespace glassformer
