#pragma once
#include "app/document/pin.h"
#include "app/panels/ui.h"

namespace glassformer {

/// The numbers that the user keeps in sight: each with its value now, beside that of what is compared, or
/// with how far it is from the first. Pointing at one lights it up where it stands, a click says what made
/// it.
Pin pinOf(const TensorRef& cell);
/// As tall as all of them are.
float pinnedHeight(const Workspace& workspace);
/// As many as there is room for.
void showPinned(Ui& ui, Box area);

}  // namespace glassformer
