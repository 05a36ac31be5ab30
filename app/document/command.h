#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/document/workspace.h"

namespace glassformer {

/// One change of the Workspace. Panels emit commands; they take effect together at the end of the frame.
struct Command {
  std::function<void(Workspace&)> apply;
  std::string
      undoName;  ///< "typing": what Undo calls it; empty: undo skips it (views, selection, appearance)
  std::string mergeKey;     ///< commands in a row with the same key are undone together; empty: never
  bool mergesLate = false;  ///< however much later they come
};

/// What the open text can be compared with: other tabs, and those of Comparison's constants that make a
/// difference.
std::vector<int> comparables(const Workspace& workspace);

namespace commands {

Command setText(std::string text, std::string mergeKey = "");
/// What a model that reads a source reads.
Command setSource(std::string source, std::string mergeKey = "");
/// Puts `added` behind `base`; nothing where the text is no longer the one that it continues.
Command appendText(std::string base, std::string added);
/// A tab with another text beside the open one, which opens.
Command newTab(Writing writing = {});
Command openTab(int tab);
/// The last tab that is left stays, emptied.
Command closeTab(int tab);
/// `with`: a tab, or one of Comparison's constants.
Command compareWith(int with);
Command setComparisonView(ComparisonView view);
/// What undo calls that a model was opened.
inline constexpr const char* openingModel = "model";
/// A model of another kind of text brings its own tabs, see deskOf().
Command setModel(std::string model, ModelChanges changes = {});
/// What the config of the open model has otherwise than it was loaded.
/// With a `gesture`, however long that takes, they are undone at once.
Command setModelChanges(ModelChanges changes, std::string gesture = "");
Command resetModel();
/// `undoName` says what of it: "temperature 0.8"; with a `gesture` of its own, however long that takes, it is
/// undone at once.
Command setDecoding(Decoding decoding, std::string undoName, std::string gesture = "");
Command addIntervention(Intervention intervention);
Command clearInterventions();

Command setView(std::string view);
/// Also opens the view that shows the step.
Command setStep(std::string step);
Command select(Selection selection);
/// Shows one head, alone; without a site it is one of the attention that is shown.
Command selectHead(int layer, int head);
Command selectHead(HeadId head);
/// Shows another attention of a model that has several.
Command selectSite(AttentionSite site);
/// These change a part of the selection and leave the rest.
Command selectCell(int query, int key, AttentionSite site = AttentionSite::Only);
Command selectQuery(int position, Stream stream = Stream::Text);
Command selectDimension(int dimension);
/// Applies a change of the attention view's settings.
Command changeAttention(std::function<void(AttentionSettings&)> change);
/// Adds the head to the set that is shown together, or takes it out; the first one added joins the selected
/// head, and a matrix then shows their average.
Command toggleHead(HeadId head);
/// Makes these the set.
Command chooseHeads(std::vector<HeadId> heads);
/// The second of the two heads that are compared.
Command compareWith(HeadId head);
/// Closer or further away by steps, in a text of `total` tokens, around the middle of what is shown.
Command zoomAttention(float notches, int total);
/// Shows this part of the text; the whole of it for an empty window.
Command setAttentionWindow(PositionWindow window);
/// These apply a change of a view's settings.
Command changePositions(std::function<void(PositionsSettings&)> change);
Command changeResidual(std::function<void(ResidualSettings&)> change);
Command changeNextToken(std::function<void(NextTokenSettings&)> change);
Command changeInfluence(std::function<void(InfluenceSettings&)> change);
Command changeTraining(std::function<void(TrainingSettings&)> change);
/// Shows every view as it was after a step of the run; TrainingSettings::newest: as it is now.
Command showStepOfRun(int step);
/// The schedule of the steps that come, of the open run (side 0), the one beside it (1) or both.
inline constexpr int bothSides = -1;
Command setSchedule(int side, std::string schedule, std::string mergeKey = "");
Command setPlan(TrainingPlan plan);
Command changeLandscape(std::function<void(LandscapeSettings&)> change);
/// Draws the pair of dimensions of a model of that width too, or no longer; the last one stays.
Command togglePair(int pair, int width);
/// Where the list of the tokens view stands.
Command scrollTokens(ListWindow window);
Command setPrunedShown(int count);
/// Applies a change of the beam tree's settings.
Command changeBeamTree(std::function<void(BeamTreeSettings&)> change);
/// Shows the branches of a node, named by its tokens from the text on, or leaves them out.
Command toggleFold(std::vector<int> path);
Command setAppearance(Appearance appearance);
Command setFigure(FigureSettings figure);

}  // namespace commands
}  // namespace glassformer
