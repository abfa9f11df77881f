"""A plain reference model of Hansa Teutonica, written from hansa_env/rulebook/ alone."""

from .game import OracleGame

__all__ = ["OracleGame"]
