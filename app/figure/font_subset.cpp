#include "app/figure/font_subset.h"

#include <hb-subset.h>

#include <cassert>
#include <cstdint>
#include <memory>

namespace glassformer {

std::string subsetFont(std::span<const std::byte> file, const std::set<char32_t>& characters, unsigned index,
                       bool shaped) {
  const std::unique_ptr<hb_blob_t, void (*)(hb_blob_t*)> blob(
      hb_blob_create(reinterpret_cast<const char*>(file.data()), static_cast<unsigned>(file.size()),
                     HB_MEMORY_MODE_READONLY, nullptr, nullptr),
      hb_blob_destroy);
  const std::unique_ptr<hb_face_t, void (*)(hb_face_t*)> whole(hb_face_create(blob.get(), index),
                                                               hb_face_destroy);
  const std::unique_ptr<hb_subset_input_t, void (*)(hb_subset_input_t*)> wanted(
      hb_subset_input_create_or_fail(), hb_subset_input_destroy);
  for (const char32_t c : characters) hb_set_add(hb_subset_input_unicode_set(wanted.get()), c);
  hb_set_t* dropped = hb_subset_input_set(wanted.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const char* table : {"GSUB", "GPOS", "GDEF", "kern"})
    if (!shaped) hb_set_add(dropped, hb_tag_from_string(table, 4));
  hb_subset_input_set_flags(wanted.get(), HB_SUBSET_FLAGS_NO_HINTING);
  const std::unique_ptr<hb_face_t, void (*)(hb_face_t*)> part(hb_subset_or_fail(whole.get(), wanted.get()),
                                                              hb_face_destroy);
  if (!part) return "";  // of the system's fonts some are broken
  const std::unique_ptr<hb_blob_t, void (*)(hb_blob_t*)> result(hb_face_reference_blob(part.get()),
                                                                hb_blob_destroy);
  unsigned length = 0;
  const char* data = hb_blob_get_data(result.get(), &length);
  return {data, length};
}

}  // namespace glassformer
