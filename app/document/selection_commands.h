#pragma once
#include "app/document/command.h"
#include "core/lens/head_id.h"
#include "core/model/point_names.h"

namespace glassformer {

struct Selection;

namespace commands {

Command select(Selection selection);
/// Shows one head, alone; without a site it is one of the attention that is shown.
Command selectHead(int layer, int head);
Command selectHead(HeadId head);
/// Shows another attention of a model that has several.
Command selectSite(AttentionSite site);
/// These change a part of the selection and leave the rest.
Command selectCell(int query, int key, AttentionSite site = AttentionSite::Self);
Command selectQuery(int position, Stream stream = Stream::Text);
Command selectDimension(int dimension);
/// No token is chosen any more: what is shown is of the last one again.
Command letTokensGo();

}  // namespace commands
}  // namespace glassformer
