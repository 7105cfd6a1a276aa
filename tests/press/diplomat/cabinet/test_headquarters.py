"""press/cabinet/headquarters.py: what the search is told, and whom we stab."""

import pytest

from bordeaux.press.diplomat.cabinet import headquarters
from bordeaux.press.diplomat.payoffs import Outcomes, Payoffs
from bordeaux.press.language import messages as p
from tests.press.diplomat.cabinet.table import START, agree, diplomat, opened
from tests.search.paper.boards import WON, board

GAIN = Outcomes(cc=0.0, cs=-10.0, sc=500.0, ss=400.0)
TWO_CENTRES = Outcomes(cc=3.0, cs=3.0, sc=6.0, ss=5.0)
LOSS = Outcomes(cc=300.0, cs=200.0, sc=0.0, ss=-100.0)
STAB = ("A PAR - BUR",)


@pytest.mark.parametrize(
    ("nature", "ours", "stabs"),
    [
        ("honest", GAIN, False),
        ("opportunist", GAIN, True),
        ("tit-for-tat", GAIN, True),
        ("opportunist", LOSS, False),
    ],
)
def test_who_stabs_for_gain(
    monkeypatch: pytest.MonkeyPatch, nature: str, ours: Outcomes, stabs: bool
) -> None:
    made = diplomat("FRANCE", nature=nature)
    opened(made)
    friend = sorted(made.policy.close)[0]
    agree(made, friend, p.All((p.Peace(("FRANCE", friend)), p.Demilitarised(("FRANCE", friend), ("NAO",)))))
    measured = Payoffs(ours, centres=TWO_CENTRES, stab=STAB)
    monkeypatch.setattr(headquarters, "payoffs", lambda *_, **__: measured)
    monkeypatch.setattr(headquarters, "opportunities", lambda *_: 1.0)
    briefing = made.briefing(START)
    assert briefing.seeds == ((STAB,) if stabs else ())
    own = [agreement for agreement in briefing.agreements if "FRANCE" in agreement.parties]
    assert {agreement.kind for agreement in own} >= {"peace", "demilitarised"}
    assert all(agreement.stabbed_by == (("FRANCE",) if stabs else ()) for agreement in own)


def test_a_solo_is_taken_by_the_most_honest(monkeypatch: pytest.MonkeyPatch) -> None:
    made = diplomat("FRANCE")
    opened(made)
    friend = sorted(made.policy.close)[0]
    agree(made, friend, p.Peace(("FRANCE", friend)))
    measured = Payoffs(LOSS, solo=Outcomes(cc=0.0, cs=0.0, sc=1.0, ss=0.9), stab=STAB)
    monkeypatch.setattr(headquarters, "payoffs", lambda *_, **__: measured)
    assert made.briefing(START).seeds == (STAB,)


def test_what_is_owed_to_others_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made = diplomat("AUSTRIA", nature="opportunist")
    opened(made)
    made.policy.prey, made.policy.close = "RUSSIA", frozenset(("GERMANY", "ITALY"))
    made.policy.neighbours = frozenset(("RUSSIA", "GERMANY", "ITALY"))
    for friend in made.policy.close:
        agree(made, friend, p.Peace(("AUSTRIA", friend)))
    asked: list[str] = []

    def payoffs(engine: object, position: object, me: str, partner: str, *_: object, **__: object) -> Payoffs:
        asked.append(partner)
        ours = GAIN if len(asked) == 1 else LOSS
        return Payoffs(ours, centres=TWO_CENTRES, stab=("A VIE - TRI",))

    monkeypatch.setattr(headquarters, "payoffs", payoffs)
    monkeypatch.setattr(headquarters, "opportunities", lambda *_: 1.0)
    briefing = made.briefing(START)
    assert len(briefing.seeds) == 1 and len(asked) == 2
    for agreement in briefing.agreements:
        if agreement.kind == "peace" and "AUSTRIA" in agreement.parties:
            assert agreement.stabbed_by == (("AUSTRIA",) if asked[0] in agreement.parties else ())


def test_who_is_about_to_win_is_everybodys_enemy() -> None:
    france = ["PAR", "MAR", "BRE", "SPA", "POR"]
    turkey = [centre for centre in WON if centre not in france]
    centres = {"TURKEY": turkey, "FRANCE": france, "ENGLAND": ["LON", "EDI", "LVP"]}
    units = {
        "TURKEY": [f"A {centre}" for centre in turkey],
        "FRANCE": ["A PAR", "A MAR", "F BRE"],
        "ENGLAND": ["F LON", "F EDI"],
    }
    late = board("S1908M", centres, units)
    made = diplomat("FRANCE")
    said = opened(made, late)
    assert made.policy.leader == made.policy.prey == "TURKEY" and made.policy.friendship("TURKEY") < -500
    assert "ENGLAND" in made.policy.close
    first = said[0].message
    assert isinstance(first, p.Propose) and first.term == p.Alliance(("FRANCE", "ENGLAND"), ("TURKEY",))
    assert made.draw() is not None
    assert diplomat("TURKEY").draw() is None
