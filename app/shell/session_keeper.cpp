#include "app/shell/session_keeper.h"

#include "app/document/session.h"

namespace glassformer {

Status SessionKeeper::save(const History& history) {
  savedRevision_ = history.revision();
  Status saved = saveSession(file_, history.current());
  if (!saved) file_.clear();
  return saved;
}

}  // namespace glassformer
