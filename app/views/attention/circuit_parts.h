#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What pictures of a head's circuits share.

/// Two tokens of circuit.* tensors, what stands between them, and their number.
struct CircuitPairs {
  const char *a, *b, *number;
  const char *verb, *sign;  ///< "looks for" and "→": as it is written between them, and where room is short
  const char* words;        ///< what the number is, on hover
};
extern const CircuitPairs comparedPairs, promotedPairs, suppressedPairs;

inline constexpr float circuitRow = 24;

/// The `place`th strongest of them, in a line: with a bar as long as its number is beside the first.
void addCircuitPair(AttentionPicture& picture, const Box& line, const CircuitPairs& pairs, int place,
                    std::function<Command(const Target&)> click = nullptr);
int countOf(const AttentionPicture& picture, const CircuitPairs& pairs);

/// How two heads of different blocks can work together.
struct Composition {
  const char* tensor;
  const char *name, *words;  ///< "keys"; "into keys"
};
const std::vector<Composition>& compositions();
/// The head whose number is largest of all of them, and which.
struct Composed {
  const Composition* by;
  HeadId head;
  TensorRef number;
};
std::optional<Composed> strongestComposition(const AttentionPicture& picture);
/// "its keys read what L0H2 writes", "L2H1’s keys read what it writes".
std::string wordsOf(const AttentionPicture& picture, const Composition& by, HeadId head);

}  // namespace glassformer
