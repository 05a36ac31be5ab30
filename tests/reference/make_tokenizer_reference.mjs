// Token ids of an independent implementation for tokenizers that cut as those of published families do, for
// tests/core/text/tokenizer_reference_test.cpp. Each variant is the tokenizer of `stories`, or its merges as
// SentencePiece would have them, with other fields; what is written are these fields, the texts and their ids.
//
// Usage: npm install @huggingface/tokenizers && node tests/reference/make_tokenizer_reference.mjs
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const required = createRequire(path.join(process.cwd(), "anything.js")).resolve("@huggingface/tokenizers");
const library = await import(pathToFileURL(required));
const { Tokenizer } = library.Tokenizer ? library : library.default;
const here = path.dirname(new URL(import.meta.url).pathname);
const stories = JSON.parse(fs.readFileSync(path.join(here, "../../assets/models/stories/tokenizer.json")));
const count = 1 + Math.max(...Object.values(stories.model.vocab), ...stories.added_tokens.map((t) => t.id));

const endOfStories = stories.added_tokens.find((t) => t.content === "<|endoftext|>").id;
const added = (contents, flags) =>
  contents.map((content, i) => ({ id: count + i, content, single_word: false, lstrip: false, rstrip: false,
                                  normalized: false, special: true, ...flags }));
const byteLevel = (cuts) => ({ type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: cuts });
const split = (expression) => ({ type: "Sequence", pretokenizers: [
  { type: "Split", pattern: { Regex: expression }, behavior: "Isolated", invert: false }, byteLevel(false)] });
const pieces = (digits) => "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" + digits +
  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const spaces = [2, 3, 4, 5, 6].map((n) => " ".repeat(n));

// A vocabulary as SentencePiece makes them, of the same merges: characters and, for what is none, bytes.
function pieceVocabulary() {
  const seen = [...Array(94).keys()].map((i) => i + 33).concat([...Array(12).keys()].map((i) => i + 161),
                                                               [...Array(82).keys()].map((i) => i + 174));
  const symbols = Object.fromEntries(seen.map((b) => [String.fromCharCode(b), b]));
  let next = 256;
  for (let b = 0; b < 256; ++b) if (!seen.includes(b)) symbols[String.fromCharCode(next++)] = b;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const piece = (token) => {
    try {
      return decoder.decode(Uint8Array.from([...token].map((c) => symbols[c]))).replaceAll(" ", "▁");
    } catch {
      return null;
    }
  };
  const vocab = { "<unk>": 0, "<s>": 1, "</s>": 2 };
  const put = (token) => { vocab[token] ??= Object.keys(vocab).length; };
  for (let b = 0; b < 256; ++b) put(`<0x${b.toString(16).toUpperCase().padStart(2, "0")}>`);
  const merges = [];
  for (const merge of stories.model.merges.slice(0, 400)) {
    const [left, right] = (Array.isArray(merge) ? merge : merge.split(" ")).map(piece);
    if (!left || !right || /[\n\r]/.test(left + right)) continue;
    put(left), put(right), put(left + right);
    merges.push(`${left} ${right}`);
  }
  for (const c of "▁!?'(),-.0123456789:ößé日") put(c);
  const special = (content) => ({ id: vocab[content], content, single_word: false, lstrip: false, rstrip: false,
                                  normalized: false, special: true });
  return { version: "1.0", added_tokens: ["<unk>", "<s>", "</s>"].map(special), normalizer: null, pre_tokenizer: null,
           post_processor: null, decoder: null,
           model: { type: "BPE", unk_token: "<unk>", fuse_unk: true, byte_fallback: true, vocab, merges } };
}
// Words, and pieces of words as they stand inside; every character of the list on its own, in both places.
function wordPieceVocabulary() {
  const vocab = {};
  const put = (token) => { vocab[token] ??= Object.keys(vocab).length; };
  for (const token of ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]) put(token);
  for (const merge of stories.model.merges) {
    const token = (Array.isArray(merge) ? merge : merge.split(" ")).join("");
    if (/^\u0120?[A-Za-z]+$/.test(token)) put(token[0] === "\u0120" ? token.slice(1) : "##" + token);
  }
  const alone = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789äéßñøåσςοдийИ日本語中文のテキ" +
    "한가한ก็ދ½Ⅻ٣é\u0301\u0323\u0307😀👩ıİ";
  for (const c of alone) put(c), put("##" + c);
  for (const c of "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…«»—、。") put(c);
  for (const token of ["##ing", "##ed", "un", "n't", "größe", "grosse", "naïve", "naive", "été", "ete", "don"]) put(token);
  const special = (content) => ({ id: vocab[content], content, single_word: false, lstrip: false, rstrip: false,
                                  normalized: false, special: true });
  return { version: "1.0", added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map(special), normalizer: bert({}),
           pre_tokenizer: { type: "BertPreTokenizer" }, post_processor: {
             type: "TemplateProcessing",
             single: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } },
                      { SpecialToken: { id: "[SEP]", type_id: 0 } }],
             pair: [], special_tokens: {} },
           decoder: { type: "WordPiece", prefix: "##", cleanup: true },
           model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100,
                    vocab } };
}
function bert(changes) {
  return { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true,
           ...changes };
}
const replaceSpaces = { type: "Replace", pattern: { String: " " }, content: "▁" };
const metaspace = (prepend_scheme, cuts) => ({ type: "Metaspace", replacement: "▁", prepend_scheme, split: cuts });

const variants = {
  llama2: { file: pieceVocabulary(), normalizer: { type: "Sequence",
                                          normalizers: [{ type: "Prepend", prepend: "▁" }, replaceSpaces] } },
  metaspace: { file: pieceVocabulary(), pre_tokenizer: metaspace("always", true) },
  metaspace_first: { file: pieceVocabulary(), pre_tokenizer: metaspace("first", false) },
  unspaced: { file: pieceVocabulary(), normalizer: replaceSpaces },
  gemma: { file: pieceVocabulary(), normalizer: replaceSpaces,
           pre_tokenizer: { type: "Split", pattern: { String: " " }, behavior: "MergedWithPrevious", invert: false } },
  bert_uncased: { file: wordPieceVocabulary() },
  bert_cased: { file: wordPieceVocabulary(), normalizer: bert({ lowercase: false }) },
  bert_accents: { file: wordPieceVocabulary(), normalizer: bert({ strip_accents: false }) },
  bert_bare: { file: wordPieceVocabulary(), normalizer: bert({ handle_chinese_chars: false, lowercase: false,
                                                               strip_accents: true }) },
  roberta: { post_processor: { type: "RobertaProcessing", sep: ["<|endoftext|>", endOfStories],
                               cls: ["<|endoftext|>", endOfStories], trim_offsets: true, add_prefix_space: false },
             added: added(["<mask>"], { lstrip: true }) },
  gpt2: {},
  gpt2_spaced: { pre_tokenizer: { ...byteLevel(true), add_prefix_space: true } },
  pythia: { normalizer: { type: "NFC" }, added: added(spaces, { special: false }) },
  smollm: { pre_tokenizer: { type: "Sequence",
                             pretokenizers: [{ type: "Digits", individual_digits: true }, byteLevel(true)] } },
  llama3: { pre_tokenizer: split(pieces("{1,3}")), ignore_merges: true, added: added(["<|begin_of_text|>"]) },
  qwen: { normalizer: { type: "NFC" }, pre_tokenizer: split(pieces("")), added: added(["<|im_start|>", "<|im_end|>"]) },
  flags: { added: [...added(["[PAD]"]), ...added(["", "[L]"], { lstrip: true }).slice(1),
                   ...added(["", "", "[R]"], { rstrip: true }).slice(2)] },
};
const texts = [
  "", " ", "The animal didn't cross the street because it was too tired.", "I'LL I've we'Re don'T 's", "'s't",
  "  two  spaces   three    four     five", "trailing   ", "\n\n\tnew\n lines \r\n\r\n end\n", "a\n\n\nb   \n  c",
  "12345 1,234.5 3rd ½ Ⅻ ٣٤٥ 1a2b", "größer Größe naïve Ärger ß", "e\u0301te\u0301 A\u030A o\u0308ffnen n\u0303",
  "e\u0301 x e\u0302\u0323 \u1100\u1161\u11A8 q\u0323\u0307", "日本語のテキスト 中文", "👩‍👩‍👧 😀!? …", "(a) [b] {c} <d> \"e\" 'f' --g-- __h__",
  "a\u00A0b\u2003c\u3000d", "<|endoftext|>The end<|endoftext|>", "<|im_start|>user\nHi<|im_end|>\n", "x <|begin_of_text|> y",
  "a [PAD] b [L] c [R]  d[L]e", "dog dogs hotdog dog, dog_ dog", "one    [L]two[R]    three", "http://a.b/c?d=e&f=g#h",
  "<s>Once</s>", " <s> a", "x</s> y",
  "ALLCAPS mixedCase snake_case kebab-case", "\u200B zero\u200Bwidth \uFEFF", "ᚠᛇᚻ ଇ ก็ ދ", "e\u0301".repeat(9),
];
// What a normalizer that removes and takes apart may stumble over. The library lowers "ΟΔΟΣ" to the sigma of a word's end, as
// JavaScript does, and does not know the ideographs beyond U+FFFF: these are in tests/core/text/word_piece_test.cpp.
const hard = [
  "unplayed Playing unbelievably UNDONE", "dog[MASK]s [MASK] dog [MASK]", "[CLS] a [SEP] b [SEP]", "[mask] [Mask] [UNK]",
  "a\u0000b\u0007c\u007Fd\u0085e\uFFFDf", "tab\tline\nfeed\rback\u000Bvertical\u000Cform", "soft\u00ADhyphen zero\u200Bwidth",
  "\u2028line\u2029paragraph\u00A0nbsp\u3000wide\u1680ogham", "中文and日本語のテキスト混ぜる", "한국어 한글 가각", "\u1112\u1161\u11AB 한",
  "dog's don't can't I'm we've they're isn't", "Ünïcödé ÀÉÎÕÜ Å Ø æ ŁÓDŹ", "İstanbul ISTANBUL ıssız İ", "Σσ σο",
  "ДИЙ Йод Ё", "ﬁ ﬂ Ⅻ ½ ①", "e\u0301\u0323 \u0323\u0301e q\u0307\u0323 \u0301", "👩‍👩‍👧 😀dog😀 🇩🇪", "$5+3=8<9^2|x`y~z", "«quoted»—dash…、。！？",
  "a".repeat(100), "a".repeat(101), "ä".repeat(50) + "b".repeat(60), "dog".repeat(40), "xq\u{1F468}zz", "\u{E000}private\u{F8FF}",
  "\u0600ab\u06DD\u070F", "\u3400\u9FFF\uF900", "\uFEFFbom", "a\u0336b\u20DDc", "ก็ได้ ދިވެހި हिन्दी", "...!!!???,,,",
  "@user #tag http://x.y/z?q=1&r=2", " [MASK] ", "[MASK][MASK]", "x [SEP]y", "\u{1D165}\u302E\u0301", "ᾳ ῌ ǅ ß ẞ",
];
for (const [name, { file = null, added: extra = [], ignore_merges, ...fields }] of Object.entries(variants)) {
  const base = file ?? stories;
  const changed = { ...fields, added_tokens: [...base.added_tokens, ...extra] };
  const model = ignore_merges ? { ignore_merges } : {};
  const tokenizer = new Tokenizer({ ...base, ...changed, model: { ...base.model, ...model } }, {});
  const isPieces = base.model.type === "WordPiece";
  const read = isPieces ? [...texts, ...hard] : texts;
  const ids = read.map((text) => tokenizer.encode(text, { add_special_tokens: false }).ids);
  const whole = isPieces ? { around: tokenizer.encode("dog").ids } : {};
  const decoded = (i) => isPieces && ids[i].length ? { decoded: tokenizer.decode(ids[i], { clean_up_tokenization_spaces: false }) } : {};
  fs.mkdirSync(path.join(here, "tokenizers"), { recursive: true });
  fs.writeFileSync(path.join(here, "tokenizers", `${name}.json`),
                   JSON.stringify({ file, changed, model, ...whole, texts: read.map((text, i) => ({ text, ids: ids[i], ...decoded(i) })) }) +
                   "\n");
}
