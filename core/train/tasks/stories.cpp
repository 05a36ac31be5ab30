#include "core/train/tasks/stories.h"

#include "core/train/tasks/grammar.h"
#include "core/train/tasks/story_draft.h"

namespace glassformer {

Story StoryGenerator::next() {
  for (;;) {
    RandomChoices choices(random_);
    StoryDraft draft(choices);
    draft.tell();
    Story story = draft.finish();
    if (story.heldOut == (split_ == Split::HeldOut)) return story;
  }
}

}  // namespace glassformer
