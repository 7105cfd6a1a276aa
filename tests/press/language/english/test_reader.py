"""What people type is understood, or asked back about; nothing else comes of it."""

import random
from pathlib import Path
from typing import Any

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import in_words, sentence, understand
from bordeaux.press.language.english.words import FILLERS, KEYS
from bordeaux.press.language.letter import Letter
from bordeaux.rules.adjudication import legal_orders
from tests.press.language.messages import Talk

ORDINARY = Path(__file__).with_name("ordinary.txt")
ASKED_BACK = ORDINARY.with_name("asked_back.txt")
STANDARD = Map.standard()
START = Position.start()
#: Russia and Turkey can help each other into Rumania and Budapest.
UNITS = [
    Unit("RUSSIA", "F", "SEV"),
    Unit("RUSSIA", "A", "VIE"),
    Unit("TURKEY", "F", "BLA"),
    Unit("TURKEY", "A", "TRI"),
    Unit("ENGLAND", "F", "NTH"),
    Unit("ENGLAND", "A", "YOR"),
    Unit("FRANCE", "F", "MAO"),
    Unit("FRANCE", "A", "PAR"),
    Unit("FRANCE", "A", "GAS"),
]
FALL = Position(STANDARD, "F1901M", UNITS, START.centres)


def promise(power: str, text: str, helped: str = "") -> p.Promise:
    return p.Promise(power, parse_order(text, STANDARD, None), helped)


def austria(text: str, **known: Any) -> p.Message:
    """What Austria says to Italy at the start."""
    return understand(text, speaker="AUSTRIA", to=("ITALY",), position=START, **known).message


def fall(text: str, speaker: str = "TURKEY", to: tuple[str, ...] = ("RUSSIA",)) -> p.Message:
    """What a power says in the fall."""
    return understand(text, speaker=speaker, to=to, position=FALL).message


BOTH = ("AUSTRIA", "ITALY")
NEXT_SPRING = p.During(Phase.parse("S1902M"), None, promise("FRANCE", "A MUN H"))
PEACE = p.Peace(BOTH)
TYROLIA = p.Demilitarised(BOTH, ("TYR",))

PROPOSALS: list[tuple[str, p.Term]] = [
    ("peace?", PEACE),
    ("PEACE!!", PEACE),
    ("peece", PEACE),
    ("pls, peace with me", PEACE),
    ("let's be friends", PEACE),
    ("lets have peace", PEACE),
    ("How about a truce?", PEACE),
    ("pce aus ita", PEACE),
    ("peace between me, you and turkey", p.Peace((*BOTH, "TURKEY"))),
    ("peace with russia", p.Peace(("AUSTRIA", "RUSSIA"))),
    ("Italy, how about peace?", PEACE),
    ("Dear Italy: peace", PEACE),
    ("Italy! ally against Turkey", p.Alliance(BOTH, ("TURKEY",))),
    ("Italy, Turkey and I have peace", p.Peace(("ITALY", "TURKEY", "AUSTRIA"))),
    ("no peace", p.Not(PEACE)),
    ("ally against turkey", p.Alliance(BOTH, ("TURKEY",))),
    ("alliance with italy vs england", p.Alliance(BOTH, ("ENGLAND",))),
    ("Let's team up against the Russians and the Turks", p.Alliance(BOTH, ("RUSSIA", "TURKEY"))),
    ("we attack France", p.Alliance(BOTH, ("FRANCE",))),
    ("war on turkey?", p.Alliance(BOTH, ("TURKEY",))),
    ("are you ok with a draw?", p.Draw()),
    ("a draw between us", p.Draw(BOTH)),
    ("dmz tyr", TYROLIA),
    ("tyr is a dmz", TYROLIA),
    ("let us both stay out of tyrolia", TYROLIA),
    ("dmz tyr adr", p.Demilitarised(BOTH, ("TYR", "ADR"))),
    ("stay out of tri", p.Demilitarised(("ITALY",), ("TRI",))),
    ("I won't move to Venice", p.Demilitarised(("AUSTRIA",), ("VEN",))),
    ("don't attack trieste", p.Demilitarised(("ITALY",), ("TRI",))),
    ("dmz eng", p.Demilitarised(BOTH, ("ENG",))),
    ("I will hold in tri", promise("AUSTRIA", "F TRI H")),
    ("A VIE - GAL", promise("AUSTRIA", "A VIE - GAL")),
    ("vie to gal", promise("AUSTRIA", "A VIE - GAL")),
    ("move vie to gal", promise("AUSTRIA", "A VIE - GAL")),
    ("my army in Viena moves to Gallicia", promise("AUSTRIA", "A VIE - GAL")),
    ("a vie s a bud - gal", promise("AUSTRIA", "A VIE S A BUD - GAL", "AUSTRIA")),
    ("support me into tyr", promise("ITALY", "A VEN S A VIE - TYR", "AUSTRIA")),
    ("I support you into tyr", promise("AUSTRIA", "A VIE S A VEN - TYR", "ITALY")),
    ("support my move to tyr", promise("ITALY", "A VEN S A VIE - TYR", "AUSTRIA")),
    ("support me in tri", promise("ITALY", "A VEN S F TRI", "AUSTRIA")),
    ("the fleet in trieste does not move to venice", p.Not(promise("AUSTRIA", "F TRI - VEN"))),
    ("build a fleet in tri", promise("AUSTRIA", "F TRI B")),
    (
        "you take tun, I take ser and gre",
        p.Division((p.Share("ITALY", ("TUN",)), p.Share("AUSTRIA", ("SER", "GRE")))),
    ),
    ("tun is yours", p.Division((p.Share("ITALY", ("TUN",)),))),
    ("nobody gets gre", p.Division((p.Share("", ("GRE",)),))),
    ("peace and dmz tyr", p.All((PEACE, TYROLIA))),
    ("peace or draw", p.Some((PEACE, p.Draw()))),
    (
        "if you stay out of tyr, I stay out of ven",
        p.All((p.Demilitarised(("ITALY",), ("TYR",)), p.Demilitarised(("AUSTRIA",), ("VEN",)))),
    ),
    ("peace until fall 1902", p.During(Phase.parse("S1901M"), Phase.parse("F1902M"), PEACE)),
    ("peace between us through 1903", p.During(Phase.parse("S1901M"), Phase.parse("F1903M"), PEACE)),
    ("peace until the end of 1903?", p.During(Phase.parse("S1901M"), Phase.parse("F1903M"), PEACE)),
    ("I promise not to enter ven", p.Demilitarised(("AUSTRIA",), ("VEN",))),
    ("I'm going to hold vie", promise("AUSTRIA", "A VIE H")),
    ("will you order A VEN - PIE?", promise("ITALY", "A VEN - PIE")),
    ("I suggest that we all vote for a draw", p.Draw()),
    ("let's keep tyr demilitarized", TYROLIA),
    ("I hold vie this spring", promise("AUSTRIA", "A VIE H")),
    ("I hold vie next turn", p.During(Phase.parse("F1901M"), None, promise("AUSTRIA", "A VIE H"))),
    ("ally agianst turkey", p.Alliance(BOTH, ("TURKEY",))),
    ("aliance against the Turks", p.Alliance(BOTH, ("TURKEY",))),
    ("suport me in tri", promise("ITALY", "A VEN S F TRI", "AUSTRIA")),
    ("dmz tyrollia", TYROLIA),
    ("dmz Tyrolea", TYROLIA),
    ("could you move ven to tus?", promise("ITALY", "A VEN - TUS")),
    ("won't you move ven to tus?", promise("ITALY", "A VEN - TUS")),
    ("are you going to move ven to tus?", promise("ITALY", "A VEN - TUS")),
    ("should we have peace?", PEACE),
    ("is peace ok with you?", PEACE),
    ("I wonder if we could have peace", PEACE),
    ("perhaps we could ally against turkey?", p.Alliance(BOTH, ("TURKEY",))),
    ("do you want to ally against turkey?", p.Alliance(BOTH, ("TURKEY",))),
    ("can I have Greece?", p.Division((p.Share("AUSTRIA", ("GRE",)),))),
    (
        "will you move ven to tus if I move vie to gal?",
        p.All((promise("ITALY", "A VEN - TUS"), promise("AUSTRIA", "A VIE - GAL"))),
    ),
    ("I'd prefer you didn't move to trieste", p.Demilitarised(("ITALY",), ("TRI",))),
    ("I have decided to move vie to gal", promise("AUSTRIA", "A VIE - GAL")),
    ("tyr is demilitarised", TYROLIA),
]


@pytest.mark.parametrize(("text", "term"), PROPOSALS)
def test_a_proposal_is_understood(text: str, term: p.Term) -> None:
    assert austria(text) == p.Propose(term)


@pytest.mark.parametrize("row", [row for row in ASKED_BACK.read_text("utf-8").splitlines() if row[0] != "#"])
def test_no_offer_and_no_answer_is_asked_back(row: str) -> None:
    offer = p.Propose(p.Peace(("ITALY", "AUSTRIA")))
    with pytest.raises(BordeauxError):
        austria(row.lstrip("? "), answering=offer if row[0] == "?" else None)


def test_a_bargain_over_two_seasons() -> None:
    now = promise("RUSSIA", "F SEV S F BLA - RUM", "TURKEY")
    later = p.During(Phase.parse("S1902M"), None, promise("TURKEY", "A TRI S A VIE - BUD", "RUSSIA"))
    assert fall("support me into rum this fall and I support you into bud in spring") == p.Propose(
        p.All((now, later))
    )


@pytest.mark.parametrize(
    ("speaker", "to", "text", "term"),
    [
        ("TURKEY", "RUSSIA", "support me into rum", promise("RUSSIA", "F SEV S F BLA - RUM", "TURKEY")),
        ("TURKEY", "RUSSIA", "you move to rum", promise("RUSSIA", "F SEV - RUM")),
        (
            "ENGLAND",
            "FRANCE",
            "I convoy my army to nwy",
            promise("ENGLAND", "F NTH C A YOR - NWY", "ENGLAND"),
        ),
        ("ENGLAND", "FRANCE", "my army goes to nwy by convoy", promise("ENGLAND", "A YOR - NWY VIA")),
        (
            "ENGLAND",
            "FRANCE",
            "your fleet sails to the south coast of spain",
            promise("FRANCE", "F MAO - SPA/SC"),
        ),
        ("ENGLAND", "FRANCE", "move mao to spain (nc)", promise("FRANCE", "F MAO - SPA/NC")),
        (
            "FRANCE",
            "ENGLAND",
            "I support gas to bur with par",
            promise("FRANCE", "A PAR S A GAS - BUR", "FRANCE"),
        ),
        ("FRANCE", "ENGLAND", "next spring, my army in mun holds", NEXT_SPRING),
    ],
)
def test_the_unit_that_can_is_picked(speaker: str, to: str, text: str, term: p.Term) -> None:
    assert fall(text, speaker, (to,)) == p.Propose(term)


@pytest.mark.parametrize(
    ("speaker", "text", "named"),
    [
        ("FRANCE", "I move to bur", ("A GAS - BUR", "A PAR - BUR")),
        ("FRANCE", "I move to spa with my fleet", ("F MAO - SPA/NC, F MAO - SPA/SC",)),
        ("FRANCE", "mao to spain", ("F MAO - SPA/NC", "F MAO - SPA/SC")),
        ("RUSSIA", "support you into bud", ("cannot support",)),
        ("TURKEY", "I move to par", ("Turkey's units cannot move to Paris",)),
        ("TURKEY", "my army in vie holds", ("Russia's army in Vienna",)),
        ("TURKEY", "par to bur and war holds", ("no unit in Warsaw",)),
        ("TURKEY", "you get boh and gal", ("Bohemia and Galicia",)),
        ("TURKEY", "alliance", ("against whom",)),
        ("TURKEY", "ally against turkey", ("Turkey cannot be in an alliance and against it",)),
        ("TURKEY", "austria builds in par", ("Austria cannot build in Paris",)),
        ("TURKEY", "peace and dmz bla or draw", ("and and or",)),
        ("TURKEY", "yes", ("no proposal to answer",)),
        ("TURKEY", "cancel", ("no proposal of your own",)),
        ("TURKEY", "", ("nothing to understand", "peace?")),
        ("TURKEY", "please", ("nothing to understand", "peace?")),
        ("TURKEY", "x" * 1500, ("longer than", "peace?")),
    ],
)
def test_what_is_not_clear_is_asked_back(speaker: str, text: str, named: tuple[str, ...]) -> None:
    other = "RUSSIA" if speaker != "RUSSIA" else "TURKEY"
    with pytest.raises(BordeauxError) as error:
        fall(text, speaker, (other,))
    assert "\n" not in str(error.value)
    for name in named:
        assert name in str(error.value)


def meaning(speaker: str, to: str, text: str, answering: str) -> tuple[str, str]:
    """What is understood at the start, in words, and what is left out; the question if nothing is."""
    offer = p.Propose(p.Peace((to, speaker))) if answering else None
    try:
        meant, left = understand(text, speaker=speaker, to=(to,), position=START, answering=offer)
    except BordeauxError as error:
        assert len(str(error).splitlines()) == 1
        return "", str(error)
    return in_words(meant, STANDARD) + ("+" if left else ""), left


@pytest.mark.parametrize("row", [row for row in ORDINARY.read_text("utf-8").splitlines() if row[0] != "#"])
def test_ordinary_english(row: str) -> None:
    speaker, to, text = row.partition(" =>")[0].split(" ", 2)
    assert (
        meaning(speaker, to.rstrip("?"), text, to[:-1] * to.endswith("?"))[0]
        == row.partition(" =>")[2].strip()
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("peace with franse and zork", "left out: zork"),
        ("peace, and war holds", "left out: war holds (there is no unit in Warsaw)"),
        ("Hi! Peace? I really love Fridays. And dmz bla.", "left out: i really love fridays"),
        ("peace", ""),
    ],
)
def test_the_rest_is_told(text: str, left: str) -> None:
    assert understand(text, speaker="TURKEY", to=("RUSSIA",), position=FALL).left == left


def test_you_are_one_power() -> None:
    with pytest.raises(BordeauxError, match="name England or France"):
        fall("you take bel", "TURKEY", ("ENGLAND", "FRANCE"))
    assert fall("peace", "TURKEY", ("ENGLAND", "FRANCE")) == p.Propose(
        p.Peace(("TURKEY", "ENGLAND", "FRANCE"))
    )


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "Yes, agreed.", "ok", "y", "I accept", "deal!", "sounds good", "peace, ok", "ok, peace?"),
        *("yes, sounds good", "yes, peace", "of course, my friend", "Yes, thank you very much!"),
        *("Yes! I look forward to working with you.", "yes, and dmz tyr", "yes. I will move vie to gal"),
        *("Yes, let's also ally against Turkey", "yes, but please do not move to Trieste"),
        *(
            "yes, but will you leave Trieste?",
            "yes, no problem",
            "no problems, yes",
            "yes, looking forward to it",
            "ok, talk soon",
        ),
        *("yes, England is the real threat", "agreed; I am sending my armies south"),
    ],
)
def test_yes(text: str) -> None:
    offer = p.Propose(p.Peace(("ITALY", "AUSTRIA")))
    assert austria(text, answering=offer) == p.Accept(offer)


@pytest.mark.parametrize("text", ["no", "No thanks!", "nope", "I refuse", "never", "no deal"])
def test_no(text: str) -> None:
    offer = p.Propose(p.Draw())
    assert austria(text, answering=offer) == p.Refuse(offer)


def test_other_answers() -> None:
    offer, own = p.Propose(p.Draw()), p.Propose(PEACE)
    assert austria("none of your business", answering=offer) == p.Decline(offer)
    assert austria("cancel", answering=offer, said=own) == p.Cancel(own)
    assert austria("never mind", said=own) == p.Cancel(own)
    assert austria("cancel peace", said=own) == p.Cancel(own)


def test_facts() -> None:
    assert austria("I declare war on you") == p.State(p.Not(PEACE))
    assert austria("russia has declared war on turkey") == p.State(p.Not(p.Peace(("RUSSIA", "TURKEY"))))
    assert austria("peace is off") == p.State(p.NoDeal(PEACE))
    assert austria("I end the alliance against russia") == p.State(p.NoDeal(p.Alliance(BOTH, ("RUSSIA",))))
    assert austria("say that russia and turkey are at peace") == p.State(p.Peace(("RUSSIA", "TURKEY")))


def test_what_is_above_the_level_of_the_game_is_refused() -> None:
    def said(text: str, level: int) -> tuple[p.Message, str]:
        return understand(text, speaker="ITALY", to=("FRANCE",), position=START, level=level)

    with pytest.raises(BordeauxError, match="takes level 20, and this game has 10"):
        said("dmz pie", 10)
    with pytest.raises(BordeauxError, match="takes level 90"):
        said("peace until fall 1903", 30)


@pytest.mark.parametrize("name", ["standard", "gulfs", pytest.param("capitals", marks=pytest.mark.slow)])
def test_sentences_are_understood_as_they_were_meant(name: str) -> None:
    board = Map.load(name)
    chance, position = random.Random(7), Position.start(board)
    for _ in range(3):
        owners = {unit.location: unit.power for unit in position.units}
        legal = [parse_order(text, board) for texts in legal_orders(position).values() for text in texts]
        talk = Talk(position, chance)
        for _ in range(6):
            speaker, other = chance.sample(board.powers, 2)
            terms: list[p.Term] = [talk.simple()]
            for order in chance.sample(legal, min(2, len(legal))):
                if order.location in owners and position.phase.kind == "M":
                    made = p.Promise(owners[order.location], order, owners.get(order.target, ""))
                    terms += [made, p.Not(made)]
            if len(terms) > 1:
                terms += [p.All(tuple(terms)), p.Some(tuple(terms[-2:]))]
            for term in terms:
                for message in (p.Propose(term), p.State(term), p.Accept(p.Propose(term))):
                    text = sentence(Letter(speaker, (other,), message), board)
                    meant = understand(text, speaker=speaker, to=(other,), position=position)
                    assert meant == (message, ""), text
        position = position.next({power: _drawn(position, power, chance) for power in board.powers})


def _drawn(position: Position, power: str, chance: random.Random) -> list[str]:
    return [chance.choice(texts) for texts in legal_orders(position, power).values()]


def test_rubbish_is_one_line() -> None:
    chance = random.Random(11)
    words = sorted(
        {*KEYS, *FILLERS, *STANDARD.powers, *(province.name for province in STANDARD.provinces)} - {""}
    )
    odd = [
        *words,
        "1901",
        "st.",
        "petersburg",
        "(",
        "/",
        "''",
        "\x00",
        "é",
        "zork",
        "don't",
        "it is not the case that",
    ]
    understood = 0
    for _ in range(600):
        text = " ".join(chance.choice(odd) for _ in range(chance.randint(1, 9)))
        if chance.random() < 0.2:
            text = "".join(chr(chance.randrange(1, 0x2FFF)) for _ in range(chance.randint(1, 60)))
        speaker, *others = chance.sample(STANDARD.powers, 3)
        position = chance.choice((START, FALL))
        try:
            message, _ = understand(text.lower(), speaker=speaker, to=others, position=position)
        except BordeauxError as error:
            assert str(error) and len(str(error).splitlines()) == 1
        else:
            understood += 1
            assert sentence(Letter(speaker, tuple(others), message), STANDARD)
    assert 0 < understood < 200
