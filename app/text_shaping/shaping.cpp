// Lettering::shaped: from characters to glyphs. The text is ordered as in Unicode's bidirectional algorithm
// (UAX 9), cut into runs of one direction, script and font, and each is shaped by HarfBuzz.
#include <fribidi.h>
#include <hb.h>

#include <algorithm>

#include "app/text_shaping/lettering.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

struct Characters {
  std::vector<FriBidiChar> codes;
  std::vector<std::size_t> at;  // bytes; one more than codes

  explicit Characters(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
      const CodePoint c = codePointAt(text, i);
      codes.push_back(c.valid ? c.value : 0xFFFD);
      at.push_back(i);
      i += static_cast<std::size_t>(c.bytes);
    }
    at.push_back(text.size());
  }
  int count() const { return static_cast<int>(codes.size()); }
};

struct Directions {
  std::vector<FriBidiLevel> levels;  // odd: from right to left
  bool rightToLeft = false;
};

Directions directionsOf(const Characters& text) {
  const int count = text.count();
  const auto size = text.codes.size();
  std::vector<FriBidiCharType> types(size);
  std::vector<FriBidiBracketType> brackets(size);
  Directions directions{std::vector<FriBidiLevel>(size)};
  FriBidiParType paragraph = FRIBIDI_PAR_ON;
  fribidi_get_bidi_types(text.codes.data(), count, types.data());
  fribidi_get_bracket_types(text.codes.data(), count, types.data(), brackets.data());
  // 0 where memory ran out: all levels are 0 then, from left to right.
  if (!fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count, &paragraph,
                                           directions.levels.data()))
    std::fill(directions.levels.begin(), directions.levels.end(), FriBidiLevel{0});
  directions.rightToLeft = FRIBIDI_IS_RTL(paragraph);
  return directions;
}

bool belongsToWhatComesBefore(hb_unicode_funcs_t* unicode, char32_t c) {
  switch (hb_unicode_general_category(unicode, c)) {
    case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_FORMAT:
      return true;
    default:
      return c >= 0x1F3FB && c <= 0x1F3FF;  // the colour of an emoji's skin
  }
}

// A run's characters [first, last) in the order they are written.
struct WrittenRun {
  const Font* font = nullptr;
  hb_script_t script = HB_SCRIPT_COMMON;
  FriBidiLevel level = 0;
  std::size_t first = 0, last = 0;
};

bool isOwn(hb_script_t script) { return script != HB_SCRIPT_COMMON && script != HB_SCRIPT_INHERITED; }

std::vector<WrittenRun> cut(const Characters& text, const Directions& directions, const Lettering& lettering,
                            FontFace face) {
  hb_unicode_funcs_t* const unicode = hb_unicode_funcs_get_default();
  std::vector<WrittenRun> runs;
  for (std::size_t i = 0; i < text.codes.size(); ++i) {
    const char32_t c = text.codes[i];
    const FriBidiLevel level = directions.levels[i];
    const bool follows = !runs.empty() && belongsToWhatComesBefore(unicode, c);
    const hb_script_t own = hb_unicode_script(unicode, c);
    // A mark stays in its letter's font, and so do blanks: they part no runs.
    const bool stays = follows || (!runs.empty() && c == ' ' && runs.back().font->glyph(c));
    const Font* const font = stays ? runs.back().font : &lettering.fontOf(face, c);
    WrittenRun* const open = runs.empty() ? nullptr : &runs.back();
    const bool sameScript = open && (!isOwn(own) || !isOwn(open->script) || own == open->script);
    if (open && open->font == font && sameScript && (follows || open->level == level)) {
      if (isOwn(own)) open->script = own;
      open->last = i + 1;
    } else {
      runs.push_back({font, own, level, i, i + 1});
    }
  }
  return runs;
}

// Rule L2: from the highest level down, what is at least as high changes its order.
void orderAsSeen(std::vector<WrittenRun>& runs) {
  FriBidiLevel highest = 0;
  for (const WrittenRun& run : runs) highest = std::max(highest, run.level);
  for (FriBidiLevel level = highest; level > 0; --level)
    for (auto from = runs.begin(); from != runs.end();) {
      from = std::find_if(from, runs.end(), [&](const WrittenRun& run) { return run.level >= level; });
      const auto to =
          std::find_if(from, runs.end(), [&](const WrittenRun& run) { return run.level < level; });
      std::reverse(from, to);
      from = to;
    }
}

// Scripts whose letters stand at their plain advances in the rest of the interface do so here.
std::vector<hb_feature_t> featuresFor(hb_script_t script) {
  std::vector<hb_feature_t> features;
  if (isOwn(script) && script != HB_SCRIPT_LATIN && script != HB_SCRIPT_GREEK && script != HB_SCRIPT_CYRILLIC)
    return features;
  for (const char* name : {"kern", "liga", "clig", "calt"})
    features.push_back({hb_tag_from_string(name, 4), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END});
  return features;
}

using Buffer = std::unique_ptr<hb_buffer_t, void (*)(hb_buffer_t*)>;

Buffer bufferOf(const Characters& text, const WrittenRun& run) {
  Buffer buffer(hb_buffer_create(), hb_buffer_destroy);
  hb_buffer_set_cluster_level(buffer.get(), HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES);
  hb_buffer_set_flags(buffer.get(), HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES);
  hb_buffer_add_codepoints(buffer.get(), text.codes.data(), text.count(), static_cast<unsigned>(run.first),
                           static_cast<int>(run.last - run.first));
  hb_buffer_set_direction(buffer.get(), run.level % 2 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer.get(), run.script);
  return buffer;
}

// Appends the run's glyphs at the right end of the text.
void shape(const Characters& text, const WrittenRun& written, ShapedText& shaped) {
  const Buffer buffer = bufferOf(text, written);
  const auto features = featuresFor(written.script);
  hb_shape(written.font->shaping(), buffer.get(), features.data(), static_cast<unsigned>(features.size()));
  ShapedRun run{written.font, written.level % 2 != 0, text.at[written.first], text.at[written.last], {}};
  unsigned count = 0;
  const hb_glyph_info_t* const glyphs = hb_buffer_get_glyph_infos(buffer.get(), &count);
  const hb_glyph_position_t* const places = hb_buffer_get_glyph_positions(buffer.get(), &count);
  for (unsigned i = 0; i < count; ++i) {
    const float advance = run.font->perEm(places[i].x_advance);
    run.glyphs.push_back({glyphs[i].codepoint, shaped.width + run.font->perEm(places[i].x_offset),
                          run.font->perEm(places[i].y_offset), advance, text.at[glyphs[i].cluster]});
    shaped.width += advance;
  }
  shaped.runs.push_back(std::move(run));
}

}  // namespace

ShapedText Lettering::shaped(std::string_view text, FontFace face) const {
  const Characters characters(text);
  const Directions directions = directionsOf(characters);
  auto runs = cut(characters, directions, *this, face);
  orderAsSeen(runs);
  ShapedText shaped;
  shaped.rightToLeft = directions.rightToLeft;
  for (const WrittenRun& run : runs) shape(characters, run, shaped);
  return shaped;
}

}  // namespace glassformer
