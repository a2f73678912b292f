"""The formats of model files: one module each, one line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Loader:
    """A format: `module.function` makes a Model of an Artefact.

    A URI asks for it by an ending, or by `scheme:`. A format that runs code when it is opened is `by_name_only`: an
    ending alone does not ask for it, and it needs a manifest.
    """

    name: str
    scheme: str
    suffixes: tuple[str, ...]
    module: str
    function: str
    extra: str | None = None
    by_name_only: bool = False
    reads_folders: bool = False


LOADERS: tuple[Loader, ...] = (
    Loader("skops", "skops", (".skops",), f"{__name__}.skops", "read_skops"),
    Loader("xgboost", "xgboost", (".json", ".ubj"), f"{__name__}.xgboost", "read_xgboost", extra="xgboost"),
    Loader("lightgbm", "lightgbm", (".txt",), f"{__name__}.lightgbm", "read_lightgbm", extra="lightgbm"),
    Loader("catboost", "catboost", (".cbm",), f"{__name__}.catboost", "read_catboost", extra="catboost"),
    Loader("onnx", "onnx", (".onnx",), f"{__name__}.onnx", "read_onnx", extra="onnx"),
    Loader(
        "mlflow", "mlflow", (), f"{__name__}.mlflow", "read_mlflow", "mlflow", by_name_only=True, reads_folders=True
    ),
    Loader("joblib", "joblib", (".joblib",), f"{__name__}.pickles", "read_joblib", by_name_only=True),
    Loader("pickle", "pickle", (".pickle", ".pkl"), f"{__name__}.pickles", "read_pickle", by_name_only=True),
)
