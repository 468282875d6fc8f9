"""Words, sentences, reading time and the Flesch score of a text."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

WORDS_A_MINUTE = 230


def syllables(word: str) -> int:
    groups = re.findall(r"[aeiouy]+", word.lower().removesuffix("e"))
    return max(1, len(groups))


def main() -> None:
    text = Path(sys.argv[1]).read_text(errors="replace")
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
    sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$)", text)))
    if not words:
        sys.exit("the file has no words")
    score = 206.835 - 1.015 * len(words) / sentences - 84.6 * sum(map(syllables, words)) / len(words)
    figures = {
        "words": len(words),
        "different_words": len({word.lower() for word in words}),
        "sentences": sentences,
        "minutes_to_read": round(len(words) / WORDS_A_MINUTE, 1),
        "flesch_score": round(score, 1),
    }
    print(json.dumps(figures, indent=2))


main()
