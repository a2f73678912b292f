"""Every model format keeps its family's promises; formats whose library is not installed are skipped by name."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from decisionflow.errors import ModelError, UntrustedModelError
from decisionflow.models.loaders import LOADERS, Loader
from decisionflow.models.loading import load_model
from decisionflow.types import ModelOutput

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame({"income": RNG.normal(size=80), "debt": RNG.normal(size=80)})
BAD = (TABLE["debt"] + 0.4 * RNG.normal(size=80) > TABLE["income"]).to_numpy(dtype=int)


def write_skops(path: Path) -> np.ndarray:
    import skops.io
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression().fit(TABLE, BAD)
    skops.io.dump(fitted, path)
    return fitted.predict_proba(TABLE)[:, 1]


def write_joblib(path: Path) -> np.ndarray:
    import joblib
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression().fit(TABLE, BAD)
    joblib.dump(fitted, path)
    return fitted.predict_proba(TABLE)[:, 1]


def write_pickle(path: Path) -> np.ndarray:
    import pickle

    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression().fit(TABLE, BAD)
    path.write_bytes(pickle.dumps(fitted))
    return fitted.predict_proba(TABLE)[:, 1]


def write_xgboost(path: Path) -> np.ndarray:
    import xgboost

    fitted = xgboost.XGBClassifier(n_estimators=5, max_depth=3).fit(TABLE, BAD)
    fitted.save_model(path)
    return fitted.predict_proba(TABLE)[:, 1]


def write_lightgbm(path: Path) -> np.ndarray:
    import lightgbm

    fitted = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1).fit(TABLE, BAD)
    fitted.booster_.save_model(path)
    return fitted.predict_proba(TABLE)[:, 1]


def write_catboost(path: Path) -> np.ndarray:
    import catboost

    fitted = catboost.CatBoostClassifier(iterations=5, depth=3, silent=True, allow_writing_files=False)
    fitted.fit(TABLE, BAD)
    fitted.save_model(str(path))
    return fitted.predict_proba(TABLE)[:, 1]


def write_onnx(path: Path) -> np.ndarray:
    from skl2onnx import to_onnx
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    scaled = make_column_transformer((StandardScaler(), ["income", "debt"]))
    fitted = make_pipeline(scaled, LogisticRegression()).fit(TABLE, BAD)
    path.write_bytes(to_onnx(fitted, TABLE.astype(np.float64), options={"zipmap": False}).SerializeToString())
    return fitted.predict_proba(TABLE)[:, 1]


def write_mlflow(path: Path) -> np.ndarray:
    import mlflow.sklearn
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression().fit(TABLE, BAD)
    mlflow.sklearn.save_model(fitted, path, pip_requirements=[])
    return fitted.predict_proba(TABLE)[:, 1]


WRITERS: dict[str, tuple[str, Callable[[Path], np.ndarray]]] = {
    "skops": ("skops", write_skops),
    "joblib": ("joblib", write_joblib),
    "pickle": ("pickle", write_pickle),
    "xgboost": ("xgboost", write_xgboost),
    "lightgbm": ("lightgbm", write_lightgbm),
    "catboost": ("catboost", write_catboost),
    "onnx": ("skl2onnx", write_onnx),
    "mlflow": ("mlflow", write_mlflow),
}
FORMS = [(loader, suffix) for loader in LOADERS for suffix in loader.suffixes or ("",)]
EVERY_FORM = pytest.mark.parametrize(
    ("loader", "suffix"), FORMS, ids=[f"{form.name}{suffix}" for form, suffix in FORMS]
)


def written(loader: Loader, suffix: str, folder: Path) -> tuple[str, np.ndarray]:
    """The URI of a model written in the format, and what its library gives for the rows."""
    module, write = WRITERS[loader.name]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    path = folder / f"risk{suffix}"
    expected = write(path)
    if loader.by_name_only:
        describe(path)
        return f"{loader.scheme}:{path.name}", expected
    return path.name, expected


def describe(path: Path, **more: Any) -> None:
    """A manifest beside the file or folder, with the hash that it has now."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.relative_to(path)}\n" for each in files]
        data = "".join(lines).encode()
    else:
        data = path.read_bytes()
    content = {"file": path.name, "sha256": hashlib.sha256(data).hexdigest(), **more}
    path.with_name(path.name + ".manifest.json").write_text(json.dumps(content))


def test_every_format_is_tried_here() -> None:
    assert {loader.name for loader in LOADERS} == set(WRITERS)


def test_schemes_and_endings_name_one_format_each() -> None:
    endings = [suffix for loader in LOADERS for suffix in loader.suffixes]
    assert len(endings) == len(set(endings))
    assert len({loader.scheme for loader in LOADERS}) == len(LOADERS)


@EVERY_FORM
def test_a_file_scores_as_its_library_does(loader: Loader, suffix: str, tmp_path: Path) -> None:
    uri, expected = written(loader, suffix, tmp_path)
    model = load_model("risk", uri, tmp_path)
    found = model.column(TABLE[["debt", "income"]] if model.inputs else TABLE, ModelOutput("probability", 1))
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert model.inputs == ("income", "debt")
    assert model.classes == (0, 1)
    labels = model.column(TABLE, ModelOutput("label"))
    assert labels.tolist() == ["1" if share > 0.5 else "0" for share in found]
    if "score" in model.offers:
        margin = model.column(TABLE, ModelOutput("score", 1))
        np.testing.assert_allclose(1 / (1 + np.exp(-margin)), found, atol=1e-6)
        np.testing.assert_array_equal(model.column(TABLE, ModelOutput("score", 0)), -margin)


@EVERY_FORM
def test_a_model_scores_the_same_where_it_is_sent(loader: Loader, suffix: str, tmp_path: Path) -> None:
    cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle, which ships with Dask and Spark, is missing")
    uri, _ = written(loader, suffix, tmp_path)
    model = load_model("risk", uri, tmp_path)
    sent = pickle.loads(cloudpickle.dumps(model))
    output = ModelOutput("probability", 1)
    np.testing.assert_array_equal(sent.column(TABLE, output), model.column(TABLE, output))


@EVERY_FORM
def test_a_row_scores_alone_as_in_a_batch(loader: Loader, suffix: str, tmp_path: Path) -> None:
    uri, _ = written(loader, suffix, tmp_path)
    model = load_model("risk", uri, tmp_path)
    output = ModelOutput("probability", 1)
    alone = [model.column(TABLE.iloc[[place]], output)[0] for place in range(5)]
    np.testing.assert_allclose(alone, model.column(TABLE, output)[:5], rtol=1e-12)


@EVERY_FORM
@pytest.mark.parametrize("kept", [0.0, 0.1, 0.6, 0.97])
def test_a_damaged_file_is_an_error_for_people(loader: Loader, suffix: str, kept: float, tmp_path: Path) -> None:
    uri, _ = written(loader, suffix, tmp_path)
    path = tmp_path / f"risk{suffix}"
    if path.is_dir():
        (path / "MLmodel").write_text("flavors: [")
    else:
        data = path.read_bytes()
        path.write_bytes(data[: int(kept * len(data))])
    if loader.by_name_only:
        describe(path)
    with pytest.raises(ModelError, match=r"model risk: .*risk.* cannot be read as"):
        load_model("risk", uri, tmp_path)


@EVERY_FORM
def test_no_file_is_opened_before_its_hash_is_right(loader: Loader, suffix: str, tmp_path: Path) -> None:
    uri, _ = written(loader, suffix, tmp_path)
    path = tmp_path / f"risk{suffix}"
    describe(path)
    (path / "MLmodel" if path.is_dir() else path).write_bytes(b"something else")
    with pytest.raises(ModelError, match="was not opened; sha256 expected"):
        load_model("risk", uri, tmp_path)


@EVERY_FORM
def test_what_runs_code_is_read_only_by_name_and_with_a_manifest(loader: Loader, suffix: str, tmp_path: Path) -> None:
    if not loader.by_name_only:
        pytest.skip("this format runs no code")
    path = tmp_path / f"risk{suffix}"
    path.write_bytes(b"x")
    with pytest.raises(UntrustedModelError, match="only with a manifest"):
        load_model("risk", f"{loader.scheme}:{path.name}", tmp_path)
    if suffix:
        with pytest.raises(UntrustedModelError, match="runs code when it is opened"):
            load_model("risk", path.name, tmp_path)


@pytest.mark.parametrize("loader", [each for each in LOADERS if each.extra], ids=lambda each: each.name)
def test_a_missing_library_is_named_with_its_extra(
    loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"risk{loader.suffixes[0] if loader.suffixes else ''}"
    path.write_bytes(b"x")
    describe(path)
    for module in ("xgboost", "lightgbm", "catboost", "onnxruntime", "mlflow"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModelError, match=rf"pip install 'decisionflow\[{loader.extra}\]'"):
        load_model("risk", f"{loader.scheme}:{path.name}", tmp_path)


def test_the_documentation_lists_every_format() -> None:
    text = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    table = text[text.index("| format |") : text.index("Paths are relative")]
    for loader in LOADERS:
        for word in (f"{loader.scheme}:", *loader.suffixes, f"[{loader.extra}]" if loader.extra else ""):
            assert word in table, word
