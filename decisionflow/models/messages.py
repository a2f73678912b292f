"""Everything that is said about a model, in one voice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from decisionflow.diagnostics import did_you_mean, nearest

SAFER = "safer formats: skops, ONNX, or the library's own JSON, UBJ, text or CBM file"


def written(label: object) -> str:
    """A class label as the policy language writes it: text in quotes where a bare word would not do."""
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, str):
        return label if label.isidentifier() else '"' + label.replace('"', '""') + '"'
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def not_offered(name: str, kind: str, offered: Iterable[str]) -> str:
    return f"model {name} gives no {kind}; it offers {', '.join(offered)}"


def unknown_class(name: str, label: object, classes: Sequence[object]) -> str:
    known = ", ".join(written(each) for each in classes)
    message = f"model {name} has no class {_quoted_if_like_another(label, classes)}; its classes are {known}"
    return _sentences(message, _class_hint(label, classes))


def no_label(name: str, kind: str, classes: Sequence[object]) -> str:
    example = written(classes[-1]) if classes else "LABEL"
    known = ", ".join(written(each) for each in classes)
    return f"model {name}: say which class the {kind} is for, as in `{kind} of {example}`; its classes are {known}"


def no_classes(name: str, width: int) -> str:
    return (
        f"model {name} gave {width} columns but does not say which class each belongs to; "
        "give it an attribute `classes_`, or return one column"
    )


def unlike_classes(name: str, shape: tuple[int, ...], classes: int) -> str:
    return f"model {name} gave an array of shape {shape}; expected one column for each of its {classes} classes"


def wrong_length(name: str, rows: int, found: int) -> str:
    return f"model {name} gave {_counted(found, 'value')} for {_counted(rows, 'row')}; expected one value a row"


def no_column(name: str, found: object) -> str:
    return f"model {name} gave {_shown(found)}, no column; expected one value a row"


def wrong_shape(name: str, shape: tuple[int, ...]) -> str:
    return f"model {name} gave an array of shape {shape}; expected one column, one value a row"


def failed(name: str, error: BaseException) -> str:
    return f"model {name} failed: {type(error).__name__}: {_first_line(error)}"


def not_a_number(name: str, kind: str, value: object) -> str:
    return f"model {name} gave {_shown(value)}; expected a {kind}, a finite number"


def not_a_probability(name: str, value: float) -> str:
    return f"model {name} gave {value!r} as a probability; expected a number from 0 to 1"


def not_a_label(name: str, value: object) -> str:
    return f"model {name} gave {_shown(value)}; expected a label"


def missing_column(name: str, column: str, given: Sequence[str]) -> str:
    message = f"model {name} needs a column `{column}`; it was given {_columns(given)}"
    return _sentences(message, did_you_mean(column, given))


def wrong_count(name: str, expected: int, given: Sequence[str]) -> str:
    return f"model {name} was trained on {expected} unnamed columns; it was given {len(given)}: {_columns(given)}"


def unseen_category(name: str, column: str, value: object, known: Sequence[object]) -> str:
    shown = ", ".join(str(each) for each in known[:20]) + (", …" if len(known) > 20 else "")
    return f"model {name} was never trained on `{column}` = {value}; its categories are {shown}"


def no_vocabulary(name: str, columns: Sequence[str]) -> str:
    return (
        f"model {name} splits on categories of {_columns(columns)} but does not hold the categories of its training "
        "data, so an unseen one would be scored silently; save it with a library version that keeps them, or list "
        'them in its manifest under "categories"'
    )


def not_a_model(name: str, given: object) -> str:
    return (
        f"model {name} cannot be bound to {type(given).__name__}; expected a fitted estimator, a function from a "
        "table of the inputs to a column, a Model, or the URI of a model file"
    )


def not_fitted(name: str, given: object) -> str:
    return f"model {name}: this {type(given).__name__} is not fitted; call fit before it is bound"


def a_class(name: str, given: type) -> str:
    return f"model {name} was given the class {given.__name__}; expected a fitted object of it"


def no_file(name: str, path: Path) -> str:
    return f"model {name}: there is no file {path}"


def not_a_file(name: str, path: Path) -> str:
    return f"model {name}: {path} is not a file"


def no_bytes(name: str, path: Path, error: OSError) -> str:
    return f"model {name}: {path} cannot be read: {error.strerror or error}"


def outside(name: str, uri: str, folder: Path) -> str:
    return f"model {name}: {uri} leads outside {folder}; keep the file there, or allow its folder with --allow-path"


def no_loader(name: str, uri: str, known: Iterable[str]) -> str:
    ending = uri.rsplit("/", 1)[-1]
    message = f"model {name}: no format is known for {ending}; known are {', '.join(known)}"
    return _sentences(message, did_you_mean(ending, known))


def by_name_only(name: str, uri: str, scheme: str) -> str:
    return (
        f"model {name}: {uri} is a pickle file, which runs code when it is opened; if you trust it, write "
        f'from "{scheme}:{uri}" and put a manifest beside it; {SAFER}'
    )


def no_extra(name: str, module: str, extra: str) -> str:
    return f"model {name} needs {module}; install it with: pip install 'decisionflow[{extra}]'"


def unreadable(name: str, path: Path, form: str, error: BaseException) -> str:
    return (
        f"model {name}: {path} cannot be read as {form}: {_first_line(error)}; the file may be truncated, damaged or "
        "of another format"
    )


def untrusted(name: str, path: Path, types: Iterable[str]) -> str:
    return (
        f"model {name}: {path} holds types that are not trusted: {', '.join(types)}; if you trust them, "
        "load it with `trusted=` of decisionflow.models.loading.load_model and give it to load_policy as a model"
    )


def other_hash(name: str, path: Path, expected: str, found: str) -> str:
    return (
        f"model {name}: {path} is not the file that its manifest describes, and was not opened; "
        f"sha256 expected {expected}, found {found}"
    )


def no_manifest(name: str, path: Path) -> str:
    return (
        f"model {name}: {path} is opened only with a manifest beside it ({path.name}.manifest.json or manifest.json) "
        f"that gives its sha256 and library versions; {SAFER}"
    )


def bad_manifest(name: str, path: Path, reason: str) -> str:
    return f"model {name}: the manifest {path} cannot be used: {reason}"


def other_version(library: str, expected: str, found: str) -> str:
    return f"saved with {library} {expected}, run with {library} {found}"


def refused_versions(name: str, differences: Iterable[str]) -> str:
    return (
        f"model {name}: {'; '.join(differences)}; run it with the versions of its manifest, save it anew, or "
        "load it with `accept_other_versions=True` of decisionflow.models.loading.load_model and give it to "
        "load_policy as a model"
    )


def golden_differs(name: str, path: Path, row: int, expected: object, found: object) -> str:
    return f"model {name}: golden row {row} of {path} should give {expected}, gave {found}"


def golden_failed(name: str, path: Path, error: BaseException) -> str:
    return f"model {name}: the golden rows of {path} cannot be scored: {_first_line(error)}"


def other_features(name: str, stored: Sequence[str], listed: Sequence[str]) -> str:
    return f"model {name}: its manifest lists the inputs {_columns(listed)}, the model itself {_columns(stored)}"


def _class_hint(label: object, classes: Sequence[object]) -> str:
    for each in classes:
        if str(each) == str(label) or written(each) == written(label):
            return f"write `{_unlike(each)}`, as the model has it"
    texts = [each for each in classes if isinstance(each, str)]
    found = nearest(label, texts) if isinstance(label, str) else None
    return f"did you mean `{written(found)}`?" if found is not None else ""


def _unlike(label: object) -> str:
    return f'"{label}"' if isinstance(label, str) else written(label)


def _quoted_if_like_another(label: object, classes: Sequence[object]) -> str:
    alike = isinstance(label, str) and any(written(each) == label for each in classes)
    return f'"{label}"' if alike else written(label)


def _columns(names: Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in names) if names else "no columns"


def _sentences(message: str, hint: str) -> str:
    return f"{message}; {hint}" if hint else message


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _shown(value: object) -> str:
    if str(value) in ("None", "nan", "NaT", "<NA>"):
        return "a missing value"
    plain = str(value) if isinstance(value, str) else value
    return repr(plain)[:80]
