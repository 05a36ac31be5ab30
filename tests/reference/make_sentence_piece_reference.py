#!/usr/bin/env python3
"""Models of SentencePiece, and what it makes of texts with them, for tests/core/text/sentence_piece_test.cpp.

Trains small ones on the prose of our own lessons: Unigram with a map of characters, byte pairs as Llama 2 has them, and
Marian's pair, whose ids are those of a vocab.json that lacks some pieces of both and has some of its own. Its tokenizer goes
to formats/marian/. Needs Debian's python3-sentencepiece.

Usage: python3 tests/reference/make_sentence_piece_reference.py
"""
import json
import pathlib
import tempfile

import sentencepiece

HERE = pathlib.Path(__file__).parent
LESSONS = HERE / "../../assets/lessons"
PIECES, MARIAN, VOCABULARY = HERE / "sentence_pieces", HERE / "formats" / "marian", 280
RULES = {"Ａ": "A", "…": "...", "ﬁ": "fi", "\t": " ", "\u00a0": " ", "\u200b": ""}
TEXTS = ["The dog was too tired to cross the street.", "attention", "a b  c   d", "  two spaces in front", "at the end   ", " ",
         "", "tab\tand\nline", "Ａ… ﬁne gone\u200b", "日本 größer 🙂🙂 x", "unbelievableness", "it's 3,141.59!", "zzzzqqqq",
         "no\u00a0break", "<sep> is <sep>", "£20 – “quoted”"]
PIECES.mkdir(exist_ok=True)
LINES = [line for path in sorted(LESSONS.glob("0*.md")) for line in path.read_text().splitlines() if len(line) > 40]


def trained(lines=LINES, **options):
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "rules.tsv"
        codes = lambda text: " ".join(f"{ord(c):X}" for c in text)
        rules.write_text("".join(f"{codes(a)}\t{codes(b)}\n" for a, b in RULES.items()))
        own = {} if "normalization_rule_name" in options else {"normalization_rule_tsv": str(rules)}
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines), model_prefix=folder + "/m", hard_vocab_limit=False, num_threads=1, minloglevel=2,
            **own, **options)
        return (pathlib.Path(folder) / "m.model").read_bytes()


def ids_of(model):
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    texts = []
    for text in TEXTS:
        ids = processor.encode(text)
        texts.append({"text": text, "ids": ids} | ({} if processor.unk_id() in ids else {"decoded": processor.decode(ids)}))
    return {"texts": texts}


BYTES = {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity", "remove_extra_whitespaces": False,
         "character_coverage": 0.99}
for name, options in {
        "unigram": {"model_type": "unigram", "vocab_size": 220, "pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1,
                    "character_coverage": 0.99},
        "llama": BYTES | {"vocab_size": 520, "split_digits": True, "allow_whitespace_only_pieces": True},
        # As Gemma has it: no space in front, and pieces that are never cut otherwise.
        "gemma": BYTES | {"vocab_size": 500, "add_dummy_prefix": False, "user_defined_symbols": ["<sep>", "▁▁▁", "\n"]},
        "refused": {"model_type": "bpe", "vocab_size": 120, "character_coverage": 0.98}}.items():
    model = trained(**options)
    (PIECES / f"{name}.model").write_bytes(model)
    if name != "refused":
        (PIECES / f"{name}.json").write_text(json.dumps(ids_of(model), indent=1) + "\n")

middle = len(LINES) // 2
source, target = (trained(lines, model_type="unigram", vocab_size=180, character_coverage=0.98)
                  for lines in (LINES[:middle], LINES[middle:]))
processors = [sentencepiece.SentencePieceProcessor(model_proto=model) for model in (source, target)]
pieces = dict.fromkeys(p.id_to_piece(i) for p in processors for i in range(3, p.get_piece_size()))
lost = ["▁The", "q", "▁attention", "ing"]  # that the ids do not have
kept = [p for p in pieces if p not in lost][:VOCABULARY - 5]
ids = {piece: i for i, piece in enumerate(["</s>", "<unk>"] + kept + [">>fra<<", ">>deu<<"])}
for i in range(len(ids), VOCABULARY - 1):
    ids[f"extra{i}"] = i
ids["<pad>"] = VOCABULARY - 1
MARIAN.mkdir(exist_ok=True)
(MARIAN / "source.spm").write_bytes(source)
(MARIAN / "target.spm").write_bytes(target)
(MARIAN / "vocab.json").write_text(json.dumps(ids))
cut = lambda processor, text: [ids.get(piece, 1) for piece in processor.encode(text, out_type=str)]
(PIECES / "marian.json").write_text(json.dumps({"texts": [
    {"text": text, "source": cut(processors[0], text), "target": cut(processors[1], text)} for text in TEXTS]}, indent=1) + "\n")
