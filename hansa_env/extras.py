"""What the optional extras of the package bring, and what to say where one is missing."""

from __future__ import annotations

#: The modules that each extra brings.
EXTRAS = {
    "train": ("matplotlib", "sb3_contrib", "stable_baselines3", "tensorboard", "torch"),
    "watch": ("mlflow", "wandb"),
    "ray": ("ray",),
    "minari": ("h5py", "minari"),
    "openspiel": ("pyspiel",),
    "onnx": ("onnx", "onnxruntime", "onnxscript"),
    "picture": ("font_source_sans_pro", "PIL", "resvg_py"),
    "table": ("starlette", "uvicorn", "websockets"),
}
#: What brings PyTorch without CUDA; the extra alone takes what the registry has for the system.
CPU_TORCH = "pip install torch --index-url https://download.pytorch.org/whl/cpu"


def what_is_missing(error: ImportError) -> str:
    """What an import failed for, and how that is mended. An error that says so already is told as it is."""
    for extra, modules in EXTRAS.items():
        if (error.name or "").partition(".")[0] in modules:
            remedy = f"pip install 'hansa-env[{extra}]'"
            if remedy in str(error):
                return str(error)
            first = f"{CPU_TORCH} (else Linux may get gigabytes of CUDA), then: " if "torch" in modules else ""
            return f"{error}; install what it needs with: {first}{remedy}"
    return f"{error}; is the package that it needs installed?"
