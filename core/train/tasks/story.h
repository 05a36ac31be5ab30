#pragma once
#include <string>
#include <vector>

#include "core/text/byte_range.h"

namespace glassformer {

enum class QuestionKind {
  WhatWasToo,    ///< "What was too tired? The | dog": an animal or an obstacle, by the adjective alone
  WhoGave,       ///< "Who gave Mia the kite? It was | Ben"
  WhatGift,      ///< "What did Ben give Mia? He gave her the | kite"
  WhatColour,    ///< "What colour was the kite? It was | blue"
  WhoHas,        ///< "Who had the kite now? It was | Lily": the last of a chain
  WhoHid,        ///< "Who hid the key? It was the | cat"
  WhatWasThere,  ///< "What was under the bed? The | key"
  WhoDid,        ///< "Who lit a lamp? It was | Tom"
};

/// A question that the story asks and answers, for measuring what a model understood.
struct StoryQuestion {
  QuestionKind kind = QuestionKind::WhatWasToo;
  std::string prompt;   ///< the story up to just before the answer; text.substr(0, prompt.size()) == prompt
  std::string answer;   ///< the right word with its space: " dog"
  std::string other;    ///< the wrong one, equally plausible without the deciding sentence: " hill"
  ByteRange right;      ///< the right word (without its space) where the deciding sentence has it
  ByteRange wrong;      ///< the wrong word where its sentence has it; the same sentence for WhatWasToo
  ByteRange answering;  ///< the last word or sign of the prompt: the position that has to know
  ByteRange rightSentence, wrongSentence;  ///< that say them; the same where one sentence names both
  std::vector<ByteRange> rightMentions;    ///< every place before `answering` where the right word stands
  std::vector<ByteRange> wrongMentions;
};

struct Story {
  std::string text;  ///< ends with `<|endoftext|>`; stories put one after the other are a corpus
  /// Nats; the sum over all random choices of the full grammar, whatever the split. The text determines the
  /// choices (see stories.h), so this is the text's log-probability, the end of the text included.
  double logProbability = 0;
  std::vector<StoryQuestion> questions;
  std::vector<ByteRange> repeats;  ///< where something is said again word for word (songs, secret words)
  bool heldOut = false;            ///< has a combination that training never shows
};

}  // namespace glassformer
