"""The settings of a search: one frozen value, read from text, from TOML, and from names and values."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Engine
from bordeaux.search.beliefs import PRIOR
from bordeaux.search.config import IDEAS, SearchConfig
from bordeaux.search.models import PEOPLE_WIDE, SEARCH

OTHERS: dict[str, object] = {
    "evaluation": "paper",
    "policy": "people",
    "without": "people+forcing",
    "maxims": "none",
    "proposers": "league=9+holding=1",
    "models": "people-wide=1.5+search=0.5",
    "others": 5,
    "growth": 0.5,
    "most": 3.5,
    "enough": 100,
    "plenty": 200,
    "reasoning": 0.5,
    "reason": 0.9,
    "among": 3.5,
    "glances": 5,
    "learning": 0.25,
    "temperature": 12.5,
    "lookahead": 0,
    "horizon": 2,
    "sure": 0.5,
    "proving": 0.125,
    "caution": 0.75,
    "anchor": 30.0,
}
"""Another value of each setting that takes one."""


def test_every_setting_has_a_purpose_and_a_range_or_is_text() -> None:
    rows = list(SearchConfig().describe())
    assert [name for name, *_ in rows] == list(SearchConfig.names()) == [*OTHERS]
    for (_, value, span, purpose), field in zip(rows, dataclasses.fields(SearchConfig), strict=True):
        assert purpose and value == field.default
        if isinstance(value, int | float):
            low, _, high, unit = span.split(" ", 3)
            assert float(low) <= value <= float(high) and unit
        else:
            assert span == "text"


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SearchConfig().others = 3  # type: ignore[misc]


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "policy"])
def test_each_is_read_as_a_value_as_text_and_from_toml(name: str) -> None:
    value = OTHERS[name]
    changes: dict[str, Any] = {name: value}
    wanted = dataclasses.replace(SearchConfig(), **changes)
    assert wanted != SearchConfig()
    assert SearchConfig().changed({name: value}) == wanted
    assert SearchConfig().changed({name: str(value)}) == wanted
    written = f'"{value}"' if isinstance(value, str) else value
    assert SearchConfig.from_toml(f"{name} = {written}") == wanted
    with Engine(**{name: value}) as one, Engine(config=wanted) as other:  # type: ignore[arg-type]
        assert one.config == other.config == wanted


def test_what_is_given_by_name_replaces_that_of_a_config() -> None:
    with Engine(config=SearchConfig(caution=0.5, others=5), caution=0.75) as engine:
        assert engine.config == SearchConfig(caution=0.75, others=5)


@pytest.mark.parametrize("given", [None, "none", ""])
def test_no_policy_of_one_s_own_is_none(given: str | None) -> None:
    assert SearchConfig().changed({"policy": given}).policy is None


def test_several_names_come_as_a_list_or_joined() -> None:
    listed = SearchConfig.from_toml('without = ["people", "forcing"]')
    assert listed == SearchConfig(without="people+forcing")
    assert listed.ideas == SearchConfig().ideas - {"people", "forcing"}
    assert listed.without_ideas("draws", "people").without == "people+forcing+draws"
    assert SearchConfig(proposers=" league=27 + people=13 ").counts() == {"league": 27, "people": 13}


def test_maxims_are_all_none_or_named() -> None:
    assert SearchConfig(maxims="none").obeyed == ((), 0)
    some = SearchConfig(maxims="never cut your own support+walk where you can walk").obeyed
    assert 0 < len(some.on_orders) < len(SearchConfig().obeyed.on_orders)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"temprature": 3}, "no setting 'temprature'; did you mean 'temperature'"),
        ({"temperature": 0}, "temperature must be a number from 0.001 to 10000, not 0"),
        ({"temperature": float("nan")}, "temperature must be a number from 0.001 to 10000, not nan"),
        ({"temperature": "warm"}, "temperature must be a number, not 'warm'"),
        ({"temperature": {}}, "temperature must be a number, not {}"),
        ({"others": 1.5}, "others must be a whole number, not '1.5'"),
        ({"others": "many"}, "others must be a whole number, not 'many'"),
        ({"others": 0}, "others must be a number from 1 to 512, not 0"),
        ({"reasoning": 0.95}, "reasoning must be a number from 0 to 0.9, not 0.95"),
        ({"reason": 1.5}, "reason must be a number from 0 to 1, not 1.5"),
        ({"among": 0.5}, "among must be a number from 1 to 1000, not 0.5"),
        ({"glances": 0}, "glances must be a number from 1 to 64, not 0"),
        ({"glances": 1.5}, "glances must be a whole number, not '1.5'"),
        ({"horizon": 9}, "horizon must be a number from -1 to 8, not 9"),
        ({"evaluation": 3}, "evaluation must be text, not 3"),
        ({"without": "thinking"}, "unknown idea 'thinking'"),
        ({"maxims": "be bold"}, "be bold"),
        ({"proposers": "league"}, "proposers are names with counts"),
        ({"proposers": "league=0"}, "proposers are names with counts"),
        ({"proposers": "league=many"}, "proposers are names with counts"),
        ({"proposers": "league=1+people=2+league=3"}, "proposers name 'league' twice"),
        ({"proposers": "league=1 + league = 3"}, "proposers name 'league' twice"),
        ({"proposers": "=1"}, "proposers are names with counts from 1 to 9999, as league=27"),
        ({"proposers": "league=10000"}, "proposers are names with counts"),
        ({"proposers": "league=" + "9" * 5000}, "proposers are names with counts"),
        ({"proposers": ""}, "proposers must name one at least"),
        ({"proposers": "leage=3"}, "no proposer 'leage'; did you mean 'league'"),
        ({"proposers": "nowhere.npz=3"}, "nowhere.npz: No such file"),
        ({"models": "league"}, "weights from 0.001 to 1000, as league=2.5+people=1.4, not 'league'"),
        ({"models": "league=0"}, "models are names with weights from"),
        ({"models": "league=-1"}, "models are names with weights from"),
        ({"models": "league=nan"}, "models are names with weights from"),
        ({"models": "league=inf"}, "models are names with weights from"),
        ({"models": "league=0.0009"}, "models are names with weights from"),
        ({"models": "league=1001"}, "models are names with weights from"),
        ({"models": "people=1e6+hold=1e-320", "without": "people"}, "models are names with weights from"),
        ({"models": "league=1+people=2+league=3"}, "models name 'league' twice"),
        ({"models": "=1"}, "models are names with weights from"),
        ({"models": ""}, "models must name one at least"),
        ({"models": 3}, "models must be text, not 3"),
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


def test_what_is_no_toml_is_told() -> None:
    with pytest.raises(BordeauxError, match="no TOML: "):
        SearchConfig.from_toml("temperature = ")
    with pytest.raises(BordeauxError, match="no setting 'search'"):
        SearchConfig.from_toml("[search]\ntemperature = 3")


def test_every_idea_has_one_row_in_the_page_of_the_search() -> None:
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text("utf-8")
    part = page.split("## Ideas and their matches")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip().strip("`") for line in part.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(IDEAS)


def test_what_is_described_can_be_read_again() -> None:
    rows = {name: value for name, value, *_ in SearchConfig(temperature=7.0).describe() if value is not None}
    text = "\n".join(
        f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
        for name, value in rows.items()
    )
    assert tomllib.loads(text) and SearchConfig.from_toml(text) == SearchConfig(temperature=7.0)
