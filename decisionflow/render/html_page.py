"""The page around an explanation: one file that opens from disk and asks no network for anything."""

from __future__ import annotations

from html import escape

from decisionflow.render.html_elements import element, plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""What a browser may load for the page: nothing."""

STYLE = """
:root { color-scheme: light dark; --back: #ffffff; --text: #1a202c; --dim: #4a5568; --line: #cbd5e0; --soft: #f4f6f9;
  --for: #2b6cb0; --against: #b7410e; --mark: #1a202c; --good: #22643d; --bad: #9b2c2c; }
@media (prefers-color-scheme: dark) { :root { --back: #12161c; --text: #e6eaf0; --dim: #aab4c2; --line: #3a4452;
  --soft: #1b212a; --for: #7db4ee; --against: #f0a074; --mark: #e6eaf0; --good: #8fd3a8; --bad: #f0a3a3; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1.25rem 3rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; } h3 { font-size: 1.05rem; margin: 1rem 0 0.25rem; }
.answer { font-size: 1.25rem; margin: 0.25rem 0; }
.dim, caption, dt { color: var(--dim); }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
.wide { overflow-x: auto; } .wide:focus-visible { outline: 2px solid var(--for); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word; max-width: 28rem; }
thead th { font-weight: 600; white-space: nowrap; } tbody th { font-weight: 600; }
th.number, td.number { text-align: right; white-space: nowrap; padding-right: 1.5rem; }
.truth { white-space: nowrap; } .true, .yes { color: var(--good); } .false, .error { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, "Cascadia Mono", Consolas, monospace; font-size: 0.92em; }
pre { background: var(--soft); padding: 0.75rem; overflow-x: auto; }
figure { margin: 0.5rem 0; } svg { width: 100%; height: auto; } svg text { fill: var(--text); font-size: 13px; }
svg .for { fill: var(--for); } svg .against { fill: url(#against); stroke: var(--against); }
svg .stripe { stroke: var(--against); stroke-width: 3; } svg .axis { stroke: var(--mark); }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.4rem; } }
@media print { body { max-width: none; } .wide { overflow: visible; } section { break-inside: avoid-page; } }
"""


FRAME = "width:100%;height:32rem;border:1px solid #8884;border-radius:4px"


def framed(document: str) -> str:
    """A document inside a notebook's output; it may run no script and load nothing."""
    return f'<iframe title="Explanation" sandbox="" style="{FRAME}" srcdoc="{escape(document)}"></iframe>'


def page(title: str, header: str, main: str) -> str:
    """The whole document; `title` is text, `header` and `main` are HTML."""
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        + f'<meta http-equiv="Content-Security-Policy" content="{plain(POLICY)}">'
        + element("title", plain(title))
        + f"<style>{STYLE}</style>"
    )
    body = (
        element("a", "Skip to the explanation", href="#explanation", class_="skip")
        + element("header", header)
        + element("main", main, id="explanation")
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'
