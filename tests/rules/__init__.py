"""Scenarios written by hand from the rules text, one or more for every rule id."""
