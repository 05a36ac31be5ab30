// Ids that Hugging Face's own library makes, for every step of a tokenizer.json that is read here, for
// tests/core/text/pipeline_reference_test.cpp. Every variant is one small tokenizer with other fields. The
// first character of a word has another token than the same character inside of one, so that ids show how a
// text is rewritten and cut.
//
// Usage: npm install @anush008/tokenizers@0.6.0 && node tests/reference/make_pipeline_reference.mjs
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const { Tokenizer } = createRequire(path.join(process.cwd(), "anything.js"))("@anush008/tokenizers");
const here = path.dirname(new URL(import.meta.url).pathname);

const texts = [
  "The dog sang.", "  two  spaces ", " a", "a ", "   ", "tab\tline\nend\r\n", "don't we've I'LL", "abc123 4x5 ٣½² Ⅷ",
  "(a,b)--c!? «d» $3+4=7_x", "Café CAFÉ cafe\u0301 nai\u0308ve", "ﬁne ① Ａｂ ½ ™", "İstanbul ΟΔΟΣ ß",
  "日本語 テスト ひらがな漢字ーabc", "中文ab中", "한국어 \u1112\u1161\u11ab", "עברית مرحبا हिन्दी ไทย", "a\u00A0b\u2003c\u3000d\u200Be",
  "x\u0000\u0001y\u007Fz\u00ADw\uFEFF", "👩‍👩‍👧 😀!", "a\u0327\u0301 \u0344 q\u0323\u0307", "foo-bar_baz.qux/quux", "1234567 12,345.67",
  "▁a ▁▁b▁", "aaa  bbb   ccc", "A\u030A\u212B\u00C5", "ⓐⓑ Ⅻ ͅα", "'s 't", "...", "a\n\nb \n c", "", "x", "é", "l'été",
];

// Every character that the texts become, at the beginning of a word and inside of one.
const characters = new Set([..."ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŁłŃ"]);
for (let code = 0x21; code < 0x100; ++code) characters.add(String.fromCodePoint(code));
for (const text of texts)
  for (const form of ["NFC", "NFD", "NFKC", "NFKD"])
    for (const c of text.normalize(form) + text.normalize(form).toLowerCase()) characters.add(c);
const vocab = { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2 };
for (const c of [...characters].filter((c) => c !== "ء").sort()) {
  vocab[c] = Object.keys(vocab).length;
  vocab["##" + c] = Object.keys(vocab).length;
}
const special = (id, content) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false,
                                    special: true });
const model = { type: "BPE", dropout: null, unk_token: "[UNK]", continuing_subword_prefix: "##", end_of_word_suffix: null,
                fuse_unk: false, byte_fallback: false, ignore_merges: false, vocab, merges: [] };
const plain = { version: "1.0", truncation: null, padding: null, added_tokens: [], normalizer: null, pre_tokenizer: null,
                post_processor: null, decoder: { type: "Fuse" }, model };

const sequence = (list, ...steps) => ({ type: "Sequence", [list]: steps });
const normalizers = {
  nfc: { type: "NFC" }, nfd: { type: "NFD" }, nfkc: { type: "NFKC" }, nfkd: { type: "NFKD" }, lowercase: { type: "Lowercase" },
  strip: { type: "Strip", strip_left: true, strip_right: true }, strip_left: { type: "Strip", strip_left: true, strip_right: false },
  strip_accents: sequence("normalizers", { type: "NFD" }, { type: "StripAccents" }),
  replace: { type: "Replace", pattern: { String: " " }, content: "▁" },
  replace_regex: { type: "Replace", pattern: { Regex: "\\s+|(?<=[a-z])\\p{Lu}" }, content: "<>" },
  prepend: sequence("normalizers", { type: "Prepend", prepend: "▁" }, { type: "Replace", pattern: { String: " " }, content: "▁" }),
  bert: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  bert_cased: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: false, strip_accents: null, lowercase: false },
  bert_accents: { type: "BertNormalizer", clean_text: false, handle_chinese_chars: true, strip_accents: false, lowercase: true },
  nmt: { type: "Nmt" }, empty: sequence("normalizers"),
  nested: sequence("normalizers", sequence("normalizers", { type: "NFKC" }), { type: "Lowercase" }),
};
const splits = {};
for (const behavior of ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]) {
  splits["split_" + behavior] = { type: "Split", pattern: { Regex: "[ .a]" }, behavior, invert: false };
  splits["split_inverted_" + behavior] = { type: "Split", pattern: { Regex: "\\w+" }, behavior, invert: true };
  splits["split_text_" + behavior] = { type: "Split", pattern: { String: "  " }, behavior, invert: false };
  splits["punctuation_" + behavior] = { type: "Punctuation", behavior };
}
const byteLevel = (space, cuts) => ({ type: "ByteLevel", add_prefix_space: space, trim_offsets: true, use_regex: cuts });
const metaspace = (scheme, split) => ({ type: "Metaspace", replacement: "▁", prepend_scheme: scheme, split });
const preTokenizers = {
  ...splits, whitespace: { type: "Whitespace" }, whitespace_split: { type: "WhitespaceSplit" }, bert: { type: "BertPreTokenizer" },
  digits: { type: "Digits", individual_digits: false }, digits_single: { type: "Digits", individual_digits: true },
  metaspace_always: metaspace("always", true), metaspace_first: metaspace("first", true), metaspace_never: metaspace("never", true),
  metaspace_whole: metaspace("always", false), byte_level: byteLevel(false, true), byte_level_space: byteLevel(true, true),
  byte_level_whole: byteLevel(false, false), delimiter: { type: "CharDelimiterSplit", delimiter: "-" },
  digits_bytes: sequence("pretokenizers", { type: "Digits", individual_digits: true }, byteLevel(true, true)),
  words_metaspace: sequence("pretokenizers", { type: "WhitespaceSplit" }, metaspace("always", true)),
  first_of_words: sequence("pretokenizers", { type: "WhitespaceSplit" }, metaspace("first", true)),
  intersection: { type: "Split", pattern: { Regex: "[\\p{L}&&[^\\p{Han}]]+" }, behavior: "Isolated", invert: false },
  empty_matches: { type: "Split", pattern: { Regex: "x*" }, behavior: "Isolated", invert: false },
  llama3: { type: "Split", behavior: "Isolated", invert: false, pattern: { Regex:
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+" } },
  scripts: { type: "UnicodeScripts" },
};
const count = Object.keys(vocab).length;
const flags = (id, content, set) => ({ ...special(vocab[content] ?? count + id, content), special: false, ...set });
const addedTokens = {
  normalized: [flags(0, "café", { normalized: true }), flags(1, "CAFÉ", {})],
  single: [flags(0, "ab", { single_word: true }), flags(1, "x", { single_word: true })],
  stripped: [flags(0, "a", { lstrip: true }), flags(0, "b", { rstrip: true }), flags(0, ".", { lstrip: true, rstrip: true })],
  longest: [flags(0, "a", {}), flags(0, "aa", {}), flags(1, "  ", {}), flags(2, "   ", {})],
};
const pieces = { "<unk>": 0, "▁": 1 };
for (let byte = 0; byte < 256; ++byte) pieces[`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`] = 2 + byte;
for (const token of ["a", "b", "c", "▁a", "ab", "abc", "▁▁", "aa", "t", "h", "e", "th", "the", "▁the", "\t"])
  pieces[token] = Object.keys(pieces).length;
const merges = ["▁ a", "▁ ▁", "a b", "ab c", "a a", "t h", "th e", "▁ the"];
const replaceSpaces = { type: "Replace", pattern: { String: " " }, content: "▁" };
const models = {
  byte_fallback: { normalizer: replaceSpaces, decoder: sequence("decoders", { type: "ByteFallback" }, { type: "Fuse" }), model: { ...model, continuing_subword_prefix: null, unk_token: "<unk>", fuse_unk: true,
    byte_fallback: true, vocab: pieces, merges } },
  no_unknown: { normalizer: replaceSpaces, model: { ...model, continuing_subword_prefix: null, unk_token: null,
    vocab: Object.fromEntries(Object.entries(pieces).filter(([k]) => !k.startsWith("<0x")).map(([k], i) => [k, i])), merges } },
  fused: { pre_tokenizer: { type: "Whitespace" }, model: { ...model, continuing_subword_prefix: null, fuse_unk: true,
    vocab: { "[UNK]": 0, a: 1, b: 2, c: 3, ab: 4, e: 5, t: 6, h: 7, he: 8 }, merges: [["a", "b"], ["h", "e"]] } },
  suffix: { pre_tokenizer: { type: "Whitespace" }, decoder: { type: "BPEDecoder", suffix: "</w>" }, model: { ...model,
    continuing_subword_prefix: null, end_of_word_suffix: "</w>", vocab: { "[UNK]": 0, a: 1, b: 2, "a</w>": 3, "b</w>": 4,
    "e</w>": 5, t: 6, h: 7, "he</w>": 8, "the</w>": 9, ".</w>": 10 }, merges: [["h", "e</w>"], ["t", "he</w>"]] } },
  prefixed: { pre_tokenizer: { type: "BertPreTokenizer" }, model: { ...model, vocab: { ...vocab, "the": count, "th": count + 1 },
    merges: [["t", "##h"], ["th", "##e"]] } },
  whole_words: { pre_tokenizer: { type: "WhitespaceSplit" }, model: { ...model, continuing_subword_prefix: null, ignore_merges: true,
    vocab: { "[UNK]": 0, a: 1, b: 2, c: 3, abc: 4, bc: 5 }, merges: [["b", "c"]] } },
  word_piece: { pre_tokenizer: { type: "BertPreTokenizer" }, decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    normalizer: { type: "Lowercase" }, model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##",
      max_input_chars_per_word: 5, vocab: { ...vocab, dog: count, "##fe": count + 1, ca: count + 2 } } },
  word_level: { pre_tokenizer: { type: "Whitespace" }, decoder: null, model: { type: "WordLevel", unk_token: "[UNK]",
    vocab: { "[UNK]": 0, The: 1, dog: 2, ".": 3, a: 4, x: 5 } } },
  unigram: { pre_tokenizer: metaspace("always", true), decoder: metaspace("always", true), model: { type: "Unigram", unk_id: 0,
    byte_fallback: false, vocab: [["<unk>", 0], ["▁", -2], ["a", -3], ["b", -3.5], ["▁a", -4], ["c", -4.1], ["ab", -5], ["▁The", -6],
      ["dog", -7], ["d", -5.5], ["o", -5.25], ["g", -5.75]] } },
  unigram_bytes: { pre_tokenizer: metaspace("first", true), decoder: sequence("decoders", { type: "ByteFallback" },
    metaspace("first", true)), model: { type: "Unigram", unk_id: 0, byte_fallback: true,
    vocab: Object.keys(pieces).map((p, i) => [p, p.startsWith("<") ? 0 : -1 - i / 100]) } },
  pieces_decoded: { normalizer: sequence("normalizers", { type: "Prepend", prepend: "▁" }, replaceSpaces),
    decoder: sequence("decoders", { type: "Replace", pattern: { String: "▁" }, content: " " }, { type: "ByteFallback" },
      { type: "Fuse" }, { type: "Strip", content: " ", start: 1, stop: 0 }),
    model: { ...model, continuing_subword_prefix: null, unk_token: "<unk>", fuse_unk: true, byte_fallback: true, vocab: pieces, merges } },
};

const variants = [];
const put = async (name, fields, extra = {}) => {
  const file = { ...plain, ...fields };
  const tokenizer = Tokenizer.fromString(JSON.stringify(file));
  const results = [];
  for (const text of texts) {
    const ids = (await tokenizer.encode(text, null, { addSpecialTokens: false })).getIds();
    const decoded = await tokenizer.decode(ids, false);
    results.push({ text, ids: [...ids], ...(extra.decodes && !decoded.includes("\uFFFD") ? { decoded } : {}) });
  }
  const changed = { ...fields };
  variants.push({ name, changed, texts: results, ...(extra.around ? { around: extra.around } : {}) });
};
for (const [name, normalizer] of Object.entries(normalizers)) await put("normalizer " + name, { normalizer });
for (const [name, pre_tokenizer] of Object.entries(preTokenizers)) await put("pre_tokenizer " + name, { pre_tokenizer });
for (const [name, added_tokens] of Object.entries(addedTokens))
  await put("added " + name, { added_tokens, normalizer: { type: "Lowercase" } });
for (const [name, fields] of Object.entries(models)) await put("model " + name, fields, { decodes: true });

// What stands around a text: of which the library itself shows a single one.
const around = {
  template: { type: "TemplateProcessing", single: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { SpecialToken: { id: "[UNK]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "[SEP]", type_id: 0 } }, { SpecialToken: { id: "two", type_id: 0 } }],
    pair: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "[CLS]", type_id: 1 } },
      { Sequence: { id: "B", type_id: 1 } }],
    special_tokens: { "[CLS]": { id: "[CLS]", ids: [1], tokens: ["[CLS]"] }, "[SEP]": { id: "[SEP]", ids: [2], tokens: ["[SEP]"] },
      "[UNK]": { id: "[UNK]", ids: [0], tokens: ["[UNK]"] }, two: { id: "two", ids: [2, 1], tokens: ["[SEP]", "[CLS]"] } } },
  bert: { type: "BertProcessing", sep: ["[SEP]", 2], cls: ["[CLS]", 1] },
  roberta: { type: "RobertaProcessing", sep: ["[SEP]", 2], cls: ["[CLS]", 1], trim_offsets: true, add_prefix_space: true },
};
around.sequence = sequence("processors", byteLevel(true, true), around.bert);
for (const [name, post_processor] of Object.entries(around)) {
  const tokenizer = Tokenizer.fromString(JSON.stringify({ ...plain, post_processor }));
  await put("post_processor " + name, { post_processor }, { around: [...(await tokenizer.encode("x")).getIds()] });
}

fs.writeFileSync(path.join(here, "pipelines.json"),
                 JSON.stringify({ plain: { ...plain, added_tokens: undefined }, variants }).replaceAll('},{"name"', '},\n{"name"') + "\n");
console.log(variants.length, "variants of", texts.length, "texts");
