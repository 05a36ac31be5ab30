#pragma once
#include <utility>
#include <vector>

namespace glassformer {

/// Words that labels, tooltips and the manual do not use, and what to use instead; in any case.
inline const std::vector<std::pair<const char*, const char*>> bannedAnywhere{
    {R"(\b(behind|beside|besides|anew|aside|likewise|shall|whom)\b)", "after, next to, again, also, must"},
    {R"(\bso (many|much)\b|\bnot as many\b)", "N, number of"},
    {R"(\b(is|are|was|were|be|being) (told|said|shown)\b|\b(tells?|says?) of\b|\bnothing is (known|shown|told)\b)",
     "reports, displays"},
    {R"(\b(likeliest|likelier)\b)", "most probable, top"},
    {R"(\b(left out|leav(e|es|ing) out|switch(ed|es)? (\w+ )?off|tak(e|es|en|ing) (\w+ )?(apart|out)|lets? (\w+ )?go)\b)",
     "ablate, remove, decompose, unpin"},
    {R"(\b(in|takes?) (the )?place of\b)", "instead of, replaces"},
    {R"(\blook(s|ed|ing)? (at|elsewhere|most|least|evenly|there|back)\b)", "attends to"},
    {R"(\b(hand(s|ed)? on|c[oa]mes? about|go(es)? on|went on|writes? on|becomes of)\b)",
     "outputs, arises, continues"},
    {R"(\botherwise\b|\bto the bit\b|\belsewhere\b)", "differently, bit-identical, external"},
    {R"(\b(at|of|each|every|any|all) places?\b|\bplace by place\b|\bin front of\b)", "position, before"},
    {R"(\b(signs?|gaps?|fills gaps)\b)", "special token, masked token"},
    {R"(\bacross\b)", "cross-attention"},
    {R"(\b(colour|grey|neighbour|labelled|behaviour|centre|normalis)\w*)", "US spelling"},
};
/// Names that views, pictures and actions no longer have.
inline constexpr const char* formerNames =
    R"(\b(Why there|Moved|Biography|Leave out|Flip|Both ends|As printed|Parallels|Norms stand|Cuts|Bench|Sums|Beside it|Prepared pair|Many texts|Switch off|Beam tree|Shifted|Stages)\b)";
/// Terms that the glossary replaces: warmup, edited or drawn, bundle, surprisal, entropy, head profile,
/// filter.
inline constexpr const char* replacedTerms =
    R"(\b(of [Ww]arm-up|[Pp]aint(ed|ing|s)?|[Pp]ack(ed|ing|s)?|surpris(e|ing)|undecided|[Bb]iograph(y|ies)|clock hands?)\b)";
/// No sentence begins with these, in any case, but for questions.
inline constexpr const char* questionWords =
    R"(^(what|of|whether|where|which|who|how|that|as|by how much|in what share)\b.*[^?]$)";

}  // namespace glassformer
