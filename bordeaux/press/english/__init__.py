"""Press in English: what is said as sentences, and what people type as messages."""

from bordeaux.press.english.reader import understand
from bordeaux.press.english.writer import in_words, quoted, sentence

__all__ = ["in_words", "quoted", "sentence", "understand"]
