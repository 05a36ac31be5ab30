#!/usr/bin/env python3
"""Token ids of SentencePiece itself for Unigram vocabularies, for tests/core/text/tokenizer_reference_test.cpp.

Trains small vocabularies on the prose of our own lessons, with a map of characters of its own so that the file stays small,
and writes each as a tokenizer.json in the two forms that T5's directories have had, with texts and their ids. Needs Debian's
python3-sentencepiece.

Usage: python3 tests/reference/make_unigram_reference.py
"""
import base64
import json
import pathlib
import tempfile

import sentencepiece

HERE = pathlib.Path(__file__).parent
LESSONS = HERE / "../../assets/lessons"
RULES = {"Ａ": "A", "ｂ": "b", "…": "...", "ﬁ": "fi", "e\u0301": "é", "\t": " ", "\n": " ", "\u00a0": " ", "\u200b": "", "㍿": "株式会社"}
TEXTS = ["The dog was too tired to cross the street.", "attention", "a b  c   d", "  two spaces in front", "at the end   ", " ",
         "", "tab\tand\nline\n\nbreak", "Ａｂ… ﬁne cafe\u0301 ㍿ gone\u200b", "日本 größer 🙂🙂 x", "unbelievableness", "it's 3,141.59!",
         "What follows what, where nothing was", "zzzzqqqq", "no\u00a0break", "The The The", "£20 – “quoted”"]


def field(data, number):
    """The fields of that number in a message of protobuf, whose fields are numbers, blocks of bytes or four bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        else:
            length = varint() if kind == 2 else 4
            value = data[at:at + length]
            at += length
        if key >> 3 == number:
            yield value


def trained(folder, **options):
    lines = [line for path in sorted(LESSONS.glob("0*.md")) for line in path.read_text().splitlines() if len(line) > 40]
    rules = folder / "rules.tsv"
    codes = lambda text: " ".join(f"{ord(c):X}" for c in text)
    rules.write_text("".join(f"{codes(a)}\t{codes(b)}\n" for a, b in RULES.items()))
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_prefix=str(folder / "m"), model_type="unigram", pad_id=0, eos_id=1, unk_id=2,
        bos_id=-1, normalization_rule_tsv=str(rules), hard_vocab_limit=False, character_coverage=0.995, num_threads=1,
        minloglevel=2, **options)
    return (folder / "m.model").read_bytes()


def written(model, processor, older):
    special = lambda id, content: {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
                                   "normalized": False, "special": True}
    count = processor.get_piece_size()
    map = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(next(field(next(field(model, 3)), 2))).decode()}
    space = {"type": "Metaspace", "replacement": "▁"}
    return {
        "version": "1.0", "added_tokens": [special(i, processor.id_to_piece(i)) for i in range(3)] + [special(count, "<extra_id_0>")],
        "normalizer": map if older else {"type": "Sequence", "normalizers": [
            map, {"type": "Strip", "strip_left": False, "strip_right": True},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, space | {"add_prefix_space": True}]}
        if older else space | {"prepend_scheme": "always", "split": True},
        "post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}},
                                                                    {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                           "pair": [], "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}},
        "decoder": space | {"prepend_scheme": "always"},
        "model": {"type": "Unigram", "unk_id": 2, "byte_fallback": processor.is_byte(3),
                  "vocab": [[processor.id_to_piece(i), processor.get_score(i)] for i in range(count)]}}


for name, older, options in (("unigram", True, {"vocab_size": 330}), ("unigram_bytes", False, {"vocab_size": 560, "byte_fallback": True})):
    with tempfile.TemporaryDirectory() as folder:
        model = trained(pathlib.Path(folder), **options)
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    texts = []
    for text in TEXTS:
        ids = processor.encode(text)
        texts.append({"text": text, "ids": ids} | ({} if 2 in ids else {"decoded": processor.decode(ids)}))
    texts.append({"text": "<extra_id_0>", "ids": [processor.get_piece_size()]})
    (HERE / "tokenizers" / f"{name}.json").write_text(
        json.dumps({"file": written(model, processor, older), "changed": {}, "model": {}, "texts": texts}, indent=1) + "\n")
