// Token ids of an independent implementation for byte-level tokenizers that cut as published families do, for
// tests/core/text/byte_level_reference_test.cpp. Each variant is the tokenizer of `stories` with other fields; what is
// written are the changed fields, the texts and their ids.
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

const added = (contents, flags) =>
  contents.map((content, i) => ({ id: count + i, content, single_word: false, lstrip: false, rstrip: false,
                                  normalized: false, special: true, ...flags }));
const byteLevel = (cuts) => ({ type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: cuts });
const split = (expression) => ({ type: "Sequence", pretokenizers: [
  { type: "Split", pattern: { Regex: expression }, behavior: "Isolated", invert: false }, byteLevel(false)] });
const pieces = (digits) => "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" + digits +
  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const spaces = [2, 3, 4, 5, 6].map((n) => " ".repeat(n));

const variants = {
  gpt2: {},
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
  "ALLCAPS mixedCase snake_case kebab-case", "\u200B zero\u200Bwidth \uFEFF", "ᚠᛇᚻ ଇ ก็ ދ", "e\u0301".repeat(9),
];
for (const [name, { added: extra = [], ignore_merges, ...fields }] of Object.entries(variants)) {
  const changed = { ...fields, added_tokens: [...stories.added_tokens, ...extra] };
  const model = ignore_merges ? { ignore_merges } : {};
  const tokenizer = new Tokenizer({ ...stories, ...changed, model: { ...stories.model, ...model } }, {});
  const ids = texts.map((text) => tokenizer.encode(text, { add_special_tokens: false }).ids);
  fs.mkdirSync(path.join(here, "tokenizers"), { recursive: true });
  fs.writeFileSync(path.join(here, "tokenizers", `${name}.json`),
                   JSON.stringify({ changed, model, texts: texts.map((text, i) => ({ text, ids: ids[i] })) }, null, 1) + "\n");
}
