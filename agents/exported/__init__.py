"""Exported networks: agents that play by an ONNX file, with onnxruntime and without torch (`onnx:FILE`)."""
