"""Datasets that agents make by playing."""
