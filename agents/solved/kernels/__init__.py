"""What the solver compiles, in a folder of its own: whatever else changes, it need not be compiled anew."""
