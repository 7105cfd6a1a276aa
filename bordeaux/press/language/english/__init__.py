"""Press in English: messages as sentences, and people's text as messages."""

from bordeaux.press.language.english.reader import Understood, understand
from bordeaux.press.language.english.writer import in_words, quoted, sentence

__all__ = ["Understood", "in_words", "quoted", "sentence", "understand"]
