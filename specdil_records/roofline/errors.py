"""What a closed form can refuse. Each error is built from one text, so that it survives a trip between processes."""
from __future__ import annotations


class MissingValue(LookupError):
    """An accelerator or a model does not give a value that the formula needs; callers may say "undecided"."""

    @property
    def what(self) -> str:
        """The name of the missing value, such as `h100.memory_capacity`."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"no value for {self.what}"


class CatalogueError(ValueError):
    """A wrong call: an unknown or missing argument, a word outside a vocabulary, a number out of its range."""


class Undecided(ArithmeticError):
    """The intervals of the inputs allow more than one kind of answer, such as a crossing and none."""


class NoNumber(ArithmeticError):
    """A grid of answers was asked for and one of them is `always` or `never`."""
