"""The page of a review: whole, without scripts, and safe whatever a game is called."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest

from bordeaux import Limit, Position
from bordeaux.board.map import Map
from bordeaux.formats.games import Game
from bordeaux.review import LeftBook, Review, TurningPoint, review_game
from bordeaux.view.review import csp, page
from bordeaux.view.review.charts import losses

from ..players.playing import standard as board
from ..review.games import game
from .reader import Reader

EVIL = "<script>alert(1)</script>\"'&"
SENT = {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"], "GERMANY": ["A MUN H", "A BER - KIE"], "ITALY": []}


@pytest.fixture(scope="module")
def review() -> Review:
    position = board(
        "F1905M",
        {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A BER"], "ITALY": ["F TYS"]},
        {"FRANCE": ["PAR", "BRE"], "GERMANY": ["BER", "MUN"], "ITALY": ["ROM"]},
    )
    # A record that ends without the last state.
    whole = game(position, SENT, {"GERMANY": ["A MUN R BOH"]})
    review = review_game(Game(EVIL, "standard", (), whole.phases), limit=Limit(nodes=300), processes=1)
    stab = TurningPoint("stab", "F1905M", 0, "FRANCE", "GERMANY", (), (), 0.1, f"why {EVIL}", ("MUN",))
    played, better = ("A BER - KIE", "A MUN H"), ("A BER S A MUN", "A MUN H")
    loss = TurningPoint("loss", "F1905M", 0, "GERMANY", "", played, better, 0.1, "because")
    powers = dict(review.powers)
    powers["ITALY"] = powers["ITALY"]._replace(opening=LeftBook(EVIL, "S1901M", True))
    return replace(
        review, turning_points=(stab, loss), powers=powers, skipped=((EVIL, EVIL),), messages=(3, 1200)
    )


def test_the_page_is_whole_and_needs_nothing_but_itself(review: Review) -> None:
    text = page(review)
    read = Reader(text)
    assert read.tags["h1"] == 1 and read.values("style") == []
    # Browsers know variables in style sheets alone, and those that are used are there.
    assert set(re.findall(r"var\((--[\w-]+)\)", text)) <= set(re.findall(r"(--[\w-]+):", text))
    assert "own power-2" in text and ".own{fill:var(--power-color)}" in text
    assert not [value for _, _, value in read.attributes if "var(" in value]
    assert set(re.findall(r"url\(#([\w-]+)\)", text)) <= set(read.values("id"))


def test_its_policy_allows_its_style_and_nothing_else(review: Review) -> None:
    text = page(review)
    policy = csp(text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert "unsafe" not in policy and "script-src" not in policy
    assert csp(text.replace("main {", "main  {")) != policy


def test_turning_points_powers_and_phases_are_told_and_names_from_outside_stay_text(review: Review) -> None:
    text = page(review)
    assert "3 of 1,200 messages understood" in text
    assert "<script" not in text and text.count("&lt;script&gt;") >= 4
    stab, loss = (text.split(f'<section id="turn-{number}"')[1].split("</section>")[0] for number in (1, 2))
    assert "France stabs Germany" in stab and stab.count("<svg") == 1 and "<table" not in stab
    assert "Germany&#x27;s orders cost 10 %" in loss and loss.count("<svg") == 2
    assert "<td>A BER - KIE</td><td>A BER S A MUN</td>" in loss and "<td>A MUN H</td>" not in loss
    italy = text.split("</svg> Italy</th>")[1].split("</tr>")[0]
    assert "no orders in 1 movement phase (F1905M)" in italy
    assert '<th scope="row">F1905M</th><td colspan="5">no orders</td>' in text


def test_the_chart_of_losses_leaves_out_the_range_of_the_book(review: Review) -> None:
    shown = re.findall(r'class="bar own power-\d"', losses(review))
    assert shown
    in_book = {
        power: judged._replace(phases=tuple(one._replace(book=True, loss=0.1) for one in judged.phases))
        for power, judged in review.powers.items()
    }
    chart = losses(replace(review, powers=in_book))
    assert "bar own" not in chart and "10 %" not in chart


def test_a_game_of_one_phase_and_another_map_has_a_page() -> None:
    start = Position.start(Map.load("gulfs"))
    power = start.map.powers[0]
    orders = {power: [f"{unit} H" for unit in start.units_of(power)]}
    review = review_game(game(start, orders), limit=Limit(nodes=200), processes=1, powers=[power])
    assert power.title() in page(review)
    Reader(page(review))
