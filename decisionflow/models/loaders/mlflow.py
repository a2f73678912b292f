"""MLflow's model folders."""

from __future__ import annotations

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.extras import extra
from decisionflow.models.model import Model
from decisionflow.models.objects import bind_object


def read_mlflow(artefact: Artefact) -> Model:
    """The scikit-learn estimator of a model folder, or what its `python_function` predicts.

    Most flavours hold pickles, so the folder is read only by name and with a manifest.
    """
    mlflow = extra(artefact.name, "mlflow", "mlflow")
    try:
        flavours = mlflow.models.Model.load(str(artefact.path)).flavors
        if "sklearn" in flavours:
            sklearn = extra(artefact.name, "mlflow.sklearn", "mlflow")
            return bind_object(artefact.name, sklearn.load_model(str(artefact.path)))
        pyfunc = extra(artefact.name, "mlflow.pyfunc", "mlflow")
        return bind_object(artefact.name, pyfunc.load_model(str(artefact.path)).predict)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "MLflow", error)) from error
