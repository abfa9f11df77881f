"""A network in an ONNX file, as onnxruntime runs it: on the processor, in one thread, since matches play in many processes."""

from __future__ import annotations

import onnxruntime


def session_of(data: bytes) -> onnxruntime.InferenceSession:
    """The session of a file. Raises what onnxruntime raises."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what is wrong is told in a line of ours
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
