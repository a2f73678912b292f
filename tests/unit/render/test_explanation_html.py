"""The page of an explanation: its structure, its escapes, its size, and a browser that opens it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

import decisionflow
from decisionflow.api.explanation import Explanation
from decisionflow.render.html_elements import plain
from decisionflow.render.html_methods import method_section

POLICIES = Path(__file__).parents[3] / "policies"
VOID = ("meta", "link", "br", "img")
HOSTILE = "<script>alert(1)</script>"

DECLINED = {
    **{"age": 22, "income": 1560.07, "debt": 618.12, "employment": "unemployed", "bankruptcies": 0},
    **{"Monthly Usage": 0.3, "opened": None, "amount": 15000},
}


@dataclass
class Page(HTMLParser):
    """What a page holds: its elements with their attributes, its text by element, whether all are closed."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.opened[-1] if self.opened else "", data))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def said(self, *tags: str) -> list[str]:
        return [text for tag, text in self.texts if tag in tags]


def read(document: str) -> Page:
    page = Page()
    page.feed(document)
    assert page.opened == []
    return page


@pytest.fixture(scope="module")
def declined() -> Explanation:
    policy = decisionflow.load_policy(POLICIES / "consumer_credit" / "consumer_credit.dflow")
    return policy.explain(DECLINED, today="2026-11-29", method=["shapley", "change"])


def test_a_page_has_landmarks_headings_and_headed_tables(declined: Explanation) -> None:
    page = read(declined.to_html())
    assert page.of("html") == [{"lang": "en"}]
    assert [len(page.of(tag)) for tag in ("header", "main", "h1")] == [1, 1, 1]
    headings = {one["id"] for one in page.of("h2")}
    assert headings >= {"reasons", "path", "contributions", "what-if", "models", "settings"}
    assert {one["aria-labelledby"] for one in page.of("section")} == headings
    assert len(page.of("caption")) == len(page.of("table")) > 4
    assert {one.get("scope") for one in page.of("th")} == {"row", "col"}
    assert page.said("title") == ["consumer_credit, row 0: outcome = decline", "Contributions to rule high_risk"]


def test_the_chart_says_its_numbers_to_who_does_not_see_it(declined: Explanation) -> None:
    page = read(declined.to_html())
    (chart,) = page.of("svg")
    assert chart["role"] == "img"
    assert page.said("desc")[0].startswith("income = 1560.07 +0.4")
    assert {one["class"] for one in page.of("rect")} == {"for"}
    largest = declined.found.largest_first()[0]
    assert f"{largest.total:+.3f}" in page.said("text")


def test_reasons_what_if_and_settings_are_those_of_the_explanation(declined: Explanation) -> None:
    document = declined.to_html()
    text = re.sub(r"<[^>]+>", "", document)
    for reason in declined.found.customer_reasons:
        assert f"{reason.code} {reason.text} (" in text
    assert "default_risk0.2674460.250.017450.24refer by thin_fileyes" in text
    assert declined.found.policy_sha256 in text
    assert str(declined.found.settings["background_sha256"]) in text


def test_a_page_loads_nothing_is_small_and_comes_out_the_same_again(declined: Explanation) -> None:
    document = declined.to_html()
    assert "http:" not in document
    assert "https:" not in document
    page = read(document)
    assert not page.of("script")
    assert not page.of("link")
    assert not [one for _, one in page.elements if "src" in one or str(one.get("href", "#"))[0] != "#"]
    assert len(document.encode()) < 200_000
    assert declined.to_html() == document


@pytest.mark.parametrize("name", ["consumer_credit", "cancer_treatment"])
def test_pages_of_shipped_policies_are_below_200_kilobytes(name: str) -> None:
    import pandas

    data = pandas.read_csv(next((POLICIES / name).glob("[ap]*.csv")))
    policy = decisionflow.load_policy(POLICIES / name / f"{name}.dflow")
    for row in (0, 1, 2):
        document = policy.explain(data, row=row, today="2026-11-29").to_html()
        read(document)
        assert len(document.encode()) < 200_000


def hostile_page() -> str:
    policy = decisionflow.parse_policy(f"""policy demo "{HOSTILE}"
feature `{HOSTILE}` : text
feature `a ]]> "b" & 'c'` : number [0 .. 10]
decision outcome : {{ "no<img src=x onerror=alert(1)>", yes }} adverse "no<img src=x onerror=alert(1)>"
  rule `<b>bold</b>`: if `{HOSTILE}` = "</table><script>" and `a ]]> "b" & 'c'` > 5
    then "no<img src=x onerror=alert(1)>" reason "<i>" "it""s </li> & more"
  otherwise yes
reasons
  `a ]]> "b" & 'c'` raises "</code>" "<u>under</u>"
""")
    row = {HOSTILE: "</table><script>", "a ]]> \"b\" & 'c'": 7}
    return policy.explain(row).to_html()


def test_names_labels_values_and_texts_are_escaped_wherever_they_stand() -> None:
    document = hostile_page()
    page = read(document)
    for tag in ("script", "img", "b", "i", "u"):
        assert not page.of(tag)
    said = "".join(text for _, text in page.texts)
    for text in (HOSTILE, "</table><script>", "a ]]> \"b\" & 'c'", "<b>bold</b>", "<u>under</u>", 'it"s </li> & more'):
        assert text in said
    assert "onerror=alert(1)&gt;" in document


def test_what_cannot_be_seen_or_turns_text_round_shows_as_a_mark() -> None:
    assert plain("a\u202eb\x00c\x1bd\u2066e\ud800") == "a�b�c�d�e�"
    assert plain("می\u200cخواهم") == "می\u200cخواهم"
    policy = decisionflow.parse_policy("""policy demo
feature word : text
decision outcome : { no, yes }
  rule same: if word != "x" then no
  otherwise yes
""")
    document = policy.explain({"word": "\u202eevil\x07 שלום"}).to_html()
    assert "\u202e" not in document
    assert "\x07" not in document
    assert "<bdi>�evil� שלום</bdi>" in document
    document.encode("utf-8")


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(declined: Explanation) -> None:
    frame = declined._repr_html_()
    (attributes,) = read(frame).of("iframe")
    assert attributes["srcdoc"] == declined.to_html()
    assert attributes["sandbox"] == ""


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on the path to open the page with")
@pytest.mark.parametrize("is_hostile", [False, True])
def test_a_browser_opens_the_page(declined: Explanation, is_hostile: bool, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(hostile_page() if is_hostile else declined.to_html(), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    found = subprocess.run(["chromium", *options, path.as_uri()], capture_output=True, check=True, timeout=60)
    page = read(found.stdout.decode("utf-8"))
    assert len(page.of("section")) >= 5
    assert len(page.of("tbody")) == len(page.of("table"))
    assert not page.of("script")
    assert not page.of("img")


def test_every_method_has_a_section_of_its_own() -> None:
    policy = decisionflow.parse_policy("""policy demo
feature age    : integer [18 .. 60]
feature income : integer [0 .. 40]
decision outcome : { yes, no }
  rule poor: if income < 10 and age < 40 then no
  otherwise yes
""")
    rows = [{"age": 18 + place % 43, "income": place * 7 % 41} for place in range(120)]
    methods = ["shap", "shapley", "lime", "change", "anchor", "rules"]
    page = read(policy.explain(rows, row=1, method=methods).to_html())
    headings = {one["id"] for one in page.of("h2") if str(one["id"]).startswith("method-")}
    assert {f"method-{name}" for name in ("shap", "shapley-values", "lime", "change", "anchor", "rules")} == headings
    assert not page.of("pre")


def test_other_answers_and_the_certificate_are_tables() -> None:
    policy = decisionflow.parse_policy("""policy demo
feature a : integer [0 .. 5]
feature b : integer [0 .. 5]
decision d : { yes, no }
  rule r: if a > 3 or b > 4 then yes
  otherwise no
""")
    document = policy.explain([{"a": 2, "b": 2}], method=["change", "certificate"], answers=2).to_html()
    assert not read(document).of("pre")
    cells = re.sub(r"<[^>]+>", "|", document)
    assert re.search(r"1\|+a\|+2\|+4\|+0.4\|+yes by r", cells)
    assert re.search(r"2\|+b\|+2\|+5\|+0.6\|+yes by r", cells)
    assert re.search(r"a\|+\[0 \.\. 3\]\|+\[0 \.\. 3\]", cells)


def test_an_estimate_shows_between_which_ends_each_contribution_lies() -> None:
    part = {"of": None, "outcome": "yes", "attribution": "permutation", "exact": False, "base": 0.25, "value": 0.75}
    ends = {"a": [0.35, 0.45], "b": [0.05, 0.15]}
    shap = part | {"phi": {"b": 0.1, "a": 0.4}, "standard_error": 0.02, "intervals": ends}
    cells = re.sub(r"(<[^>]+>)+", "|", method_section("shap", shap))
    assert "permutation, estimated, standard error 0.02|" in cells
    assert "|Feature|Contribution|95 % interval|a|+0.4000|+0.3500 to +0.4500|b|+0.1000|+0.0500 to +0.1500|" in cells
