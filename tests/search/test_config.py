"""The settings of a search: one frozen value, read from text, from TOML, and from names and values."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bordeaux import BordeauxError, Engine
from bordeaux.search.beliefs import PRIOR
from bordeaux.search.config import IDEAS, LEARNT, PAPER, PaperConfig, SearchConfig, ideas_of
from bordeaux.search.models import PEOPLE_WIDE, SEARCH

OTHERS: dict[str, dict[str, object]] = {
    LEARNT: {
        "evaluation": "paper",
        "policy": "people",
        "models": "people-wide=1.5+search=0.5",
        "without": "people+reasoning",
    },
    PAPER: {
        "evaluation": "hand",
        "policy": "people",
        "models": "search=1",
        "without": "people+fronts",
        "maxims": "none",
        "caution": 0.75,
    },
}
"""Another value of each setting of each search."""


def test_every_setting_has_a_purpose_and_a_range_or_is_text() -> None:
    rows = list(SearchConfig().describe())
    assert [name for name, *_ in rows] == [*SearchConfig.settings()]
    for name, value, span, search, purpose in rows:
        assert purpose and value == SearchConfig.settings()[name].default
        assert [owner for owner in OTHERS if name in OTHERS[owner]] == (
            [search] if search else [*OTHERS]
        ) or (name == "search")
        if isinstance(value, int | float):
            low, _, high, unit = span.split(" ", 3)
            assert float(low) <= value <= float(high) and unit
        else:
            assert span == "text"


def test_each_search_has_its_own_settings_and_ideas() -> None:
    for search, settings in OTHERS.items():
        assert [*SearchConfig.settings(search)] == ["search", *settings]
        assert SearchConfig(search).ideas == set(ideas_of(search))
    assert set(ideas_of(LEARNT)) | set(ideas_of(PAPER)) == set(IDEAS)


@pytest.mark.parametrize(("search", "name"), [(search, name) for search in OTHERS for name in OTHERS[search]])
def test_each_is_read_as_a_value_as_text_and_from_toml(search: str, name: str) -> None:
    value = OTHERS[search][name]
    base = SearchConfig(search)
    wanted = base.changed({name: value})
    assert wanted != base and wanted.value(name) == value
    assert base.changed({name: str(value)}) == wanted
    written = f'"{value}"' if isinstance(value, str) else value
    assert SearchConfig.from_toml(f'search = "{search}"\n{name} = {written}') == wanted
    with Engine(search=search, **{name: value}) as one, Engine(config=wanted) as other:  # type: ignore[arg-type]
        assert one.config == other.config == wanted


def test_what_is_given_by_name_replaces_that_of_a_config() -> None:
    config = SearchConfig(PAPER, evaluation="hand", paper=PaperConfig(caution=0.5))
    with Engine(config=config, caution=0.75) as engine:
        assert engine.config == SearchConfig(PAPER, evaluation="hand", paper=PaperConfig(caution=0.75))


def test_another_search_begins_with_its_own_settings_and_keeps_those_of_both() -> None:
    config = SearchConfig(evaluation="hand", without="people+reasoning")
    paper = config.changed({"search": PAPER})
    assert paper == SearchConfig(PAPER, evaluation="hand", without="people")
    assert paper.changed({"search": LEARNT}) == SearchConfig(evaluation="hand", without="people")
    assert config.changed({"search": PAPER, "without": "fronts", "caution": 1}) == SearchConfig(
        PAPER, evaluation="hand", without="fronts", paper=PaperConfig(caution=1.0)
    )


def test_several_names_come_as_a_list_or_joined() -> None:
    listed = SearchConfig.from_toml('without = ["people", "forcing"]')
    assert listed == SearchConfig(without="people+forcing")
    assert listed.ideas == SearchConfig().ideas - {"people", "forcing"}
    assert listed.without_ideas("league", "people").without == "people+forcing+league"


def test_maxims_are_all_none_or_named() -> None:
    assert PaperConfig("none").obeyed == ((), 0)
    some = PaperConfig("never cut your own support+walk where you can walk").obeyed
    assert 0 < len(some.on_orders) < len(PaperConfig().obeyed.on_orders)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"cautoin": 3}, "no setting 'cautoin'; did you mean 'caution'"),
        ({"temperature": 3}, "no setting 'temperature' (known: search, evaluation, "),
        ({"search": "paper", "caution": -1}, "caution must be a number from 0 to 1, not -1"),
        ({"search": "paper", "caution": float("nan")}, "caution must be a number from 0 to 1, not nan"),
        ({"caution": "most"}, "caution must be a number, not 'most'"),
        ({"caution": {}}, "caution must be a number, not {}"),
        ({"search": "draws"}, "search is learnt or paper, not 'draws'"),
        ({"search": "papre"}, "not 'papre'; did you mean 'paper'"),
        ({"caution": 0.5}, "caution is a setting of search paper, not of search learnt"),
        ({"without": "fronts"}, "fronts is an idea of search paper, not of search learnt"),
        ({"without": "reasoning", "search": "paper"}, "reasoning is an idea of search learnt, not of"),
        ({"evaluation": 3}, "evaluation must be text, not 3"),
        ({"without": "thinking"}, "unknown idea 'thinking'"),
        ({"search": "paper", "maxims": "be bold"}, "be bold"),
        ({"models": "league"}, "weights from 0.001 to 1000, as league=2.5+people-wide@0.5=1.4, not 'league'"),
        ({"models": "league=0"}, "models are names with weights from"),
        ({"models": "league=nan"}, "models are names with weights from"),
        ({"models": "league=0.0009"}, "models are names with weights from"),
        ({"models": "league=1001"}, "models are names with weights from"),
        ({"models": "league=1+people=2+league=3"}, "models name 'league' twice"),
        ({"models": "=1"}, "models are names with weights from"),
        ({"models": ""}, "models must name one at least"),
        ({"models": "leage=3"}, "no model of play 'leage'; did you mean 'league'"),
        ({"models": "best-first=3"}, "no model of play 'best-first'"),
        ({"models": "nowhere.npz=3"}, "nowhere.npz: No such file"),
        ({"models": "people=1+engines=2", "without": "people"}, "people, engines alone, which is left out"),
        ({"policy": "nowhere.npz"}, "nowhere.npz"),
    ],
)
def test_rubbish_is_refused_in_one_clear_line(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        SearchConfig().changed(settings)
    assert complaint in str(caught.value) and "\n" not in str(caught.value)


def test_beliefs_are_weights_of_models() -> None:
    assert SearchConfig().prior == PRIOR and list(SearchConfig().prior) == list(PRIOR)
    config = SearchConfig.from_toml('models = "people-wide = 3 + search=1"')
    assert config.prior == {PEOPLE_WIDE: 0.75, SEARCH: 0.25}
    assert config.without_ideas("people").prior == {SEARCH: 1.0}
    listed = SearchConfig.from_toml('models = ["people-wide=3", "search=1"]')
    assert listed.prior == config.prior


def test_every_idea_has_one_row_in_the_page_of_the_search() -> None:
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text("utf-8")
    part = page.split("## Ideas\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip().strip("`") for line in part.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(IDEAS)


@pytest.mark.parametrize("search", OTHERS)
def test_what_is_described_can_be_read_again(search: str) -> None:
    config = SearchConfig(search).changed(OTHERS[search] | {"policy": "people"})
    rows = {name: value for name, value, _, owner, _ in config.describe() if owner in ("", search)}
    text = "\n".join(
        f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
        for name, value in rows.items()
    )
    assert tomllib.loads(text) and SearchConfig.from_toml(text) == config
