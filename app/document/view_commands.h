#pragma once
#include <functional>
#include <string>

#include "app/document/command.h"

namespace glassformer {

struct Look;
struct FigureSettings;
struct ViewSettings;
struct Pin;

namespace commands {

Command setView(std::string view);
/// Opens a view on one of its pictures.
Command choosePicture(std::string view, std::string picture);
/// Also opens the view that shows the step.
Command setStep(std::string step);
/// Applies a change of the views' settings.
Command changeSettings(std::function<void(ViewSettings&)> change);
/// Makes one of the choices that views remember by name; "" takes it back.
Command choose(std::string choice, std::string value);
/// Draws the pair of dimensions of a model of that width too, or no longer; the last one stays.
Command togglePair(int pair, int width);
Command setLook(Look look);
/// Gigabytes that one pass may take.
Command setMemory(float gigabytes);
Command setFigure(FigureSettings figure);
/// Keeps a number in sight, or lets it go. Of too many the oldest goes.
Command togglePin(Pin pin);
Command unpinAll();

}  // namespace commands
}  // namespace glassformer
