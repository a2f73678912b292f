"""An unseen category is never scored: the training vocabulary is part of the model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from decisionflow.errors import ModelError
from decisionflow.models.binding import bind
from decisionflow.models.loading import load_model
from decisionflow.models.model import Model
from decisionflow.types import ModelOutput

TABLE = pd.DataFrame({"region": pd.Categorical(["north", "south", "west"] * 20)})
LAPSE = [1, 0, 0] * 20
CALL = ModelOutput("probability", 1)


def histogram(folder: Path) -> Model:
    del folder
    return bind("lapse", HistGradientBoostingClassifier(categorical_features="from_dtype").fit(TABLE, LAPSE))


def xgboost_file(folder: Path) -> Model:
    xgboost = pytest.importorskip("xgboost")
    fitted = xgboost.XGBClassifier(n_estimators=5, tree_method="hist", enable_categorical=True).fit(TABLE, LAPSE)
    fitted.save_model(folder / "lapse.json")
    return load_model("lapse", "lapse.json", folder)


def xgboost_bound(folder: Path) -> Model:
    del folder
    xgboost = pytest.importorskip("xgboost")
    classifier = xgboost.XGBClassifier(n_estimators=5, tree_method="hist", enable_categorical=True)
    return bind("lapse", classifier.fit(TABLE, LAPSE))


def lightgbm_file(folder: Path) -> Model:
    lightgbm = pytest.importorskip("lightgbm")
    fitted = lightgbm.LGBMClassifier(n_estimators=40, min_child_samples=2, min_data_per_group=2, verbose=-1)
    fitted.fit(TABLE, LAPSE).booster_.save_model(folder / "lapse.txt")
    return load_model("lapse", "lapse.txt", folder)


def catboost_file(folder: Path) -> Model:
    catboost = pytest.importorskip("catboost")
    fitted = catboost.CatBoostClassifier(iterations=40, silent=True, allow_writing_files=False, cat_features=["region"])
    path = folder / "lapse.cbm"
    fitted.fit(TABLE.astype(str), LAPSE).save_model(str(path))
    with pytest.raises(ModelError, match=r"categories of `region`.*scored silently.*manifest"):
        load_model("lapse", "lapse.cbm", folder)
    manifest = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "categories": {"region": ["north", "south", "west"]},
    }
    (folder / "lapse.cbm.manifest.json").write_text(json.dumps(manifest))
    return load_model("lapse", "lapse.cbm", folder)


@pytest.mark.parametrize("make", [histogram, xgboost_file, xgboost_bound, lightgbm_file, catboost_file])
@pytest.mark.filterwarnings("ignore")
def test_regions_score_alike_in_any_company_and_strangers_do_not(make, tmp_path: Path) -> None:
    model = make(tmp_path)
    for regions in (["north"], ["south"], ["west"], ["north", "south", "west"], ["west", "south"], ["west", "north"]):
        called = model.column(pd.DataFrame({"region": regions}), CALL) >= 0.5
        assert called.tolist() == [region == "north" for region in regions]
    scored = model.score(pd.DataFrame({"region": ["south", "west", "north", "east"]}), CALL)
    assert (scored.values[:3] >= 0.5).tolist() == [False, False, True]
    assert np.isnan(scored.values[3])
    assert list(scored.failures) == [3]
    assert "never trained on `region` = east; its categories are north, south, west" in str(scored.failures[3])
    with pytest.raises(ModelError, match="never trained on"):
        model.column(pd.DataFrame({"region": ["east"]}), CALL)
