"""The palette: contrasts by WCAG, distances as the colour-blind see them, and nothing beside it."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from bordeaux.view.palette import POWERS, THEMES, contrast, root_css

SIGHT = {
    # Machado, Oliveira and Fernandes (2009), severity 1.0.
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
SCHEMES = {
    f"{name}-{kind}": getattr(theme, kind) for name, theme in THEMES.items() for kind in ("light", "dark")
}
GRAPHIC, TEXT = 3.0, 4.5
"""The least contrasts by WCAG."""
SEVEN, ALL = range(7), range(POWERS)
ROOT = Path(__file__).resolve().parents[2]

Scheme = dict[str, str]


def seen(colour: str, kind: str) -> np.ndarray:
    """A colour in CIELAB (D65) as it is seen."""
    channels = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    light = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    light = np.clip(np.array(SIGHT[kind]) @ light, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.maximum(np.array(to_xyz) @ light / (0.9505, 1, 1.089), 1e-4))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: str, other: str, kind: str) -> float:
    """The CIE76 difference of two colours; about 2 can just be seen."""
    return float(np.linalg.norm(seen(one, kind) - seen(other, kind)))


def grounds(scheme: Scheme) -> list[str]:
    """What marks stand on."""
    return [scheme["sea"], scheme["land"], scheme["closed"], *(scheme[f"tint{n}"] for n in ALL)]


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_text_can_be_read(scheme: Scheme) -> None:
    for ground in grounds(scheme)[1:]:
        assert contrast(scheme["name"], ground) >= TEXT, ground
    assert contrast(scheme["waters"], scheme["sea"]) >= TEXT
    assert contrast(scheme["ink"], scheme["sheet"]) >= TEXT
    for n in ALL:
        assert contrast(scheme[f"on{n}"], scheme[f"power{n}"]) >= TEXT, n
        assert contrast(scheme[f"text{n}"], scheme["sheet"]) >= TEXT, n


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_the_seven_can_be_told_apart(scheme: Scheme, sight: str) -> None:
    marks, tints = ([scheme[f"{kind}{n}"] for n in SEVEN] for kind in ("power", "tint"))
    assert min(apart(a, b, sight) for a, b in itertools.combinations(marks, 2)) > 12
    tints += [scheme["land"], scheme["sea"]]
    assert min(apart(a, b, sight) for a, b in itertools.combinations(tints[:8], 2)) > 10
    assert min(apart(a, scheme["sea"], sight) for a in tints[:7]) > 9


def test_schemes_have_the_same_names_and_become_variables() -> None:
    names = {frozenset(scheme) for scheme in SCHEMES.values()}
    assert len(names) == 1
    css = root_css("calm")
    assert css.count("--power-0:") == 2 and "--map-sea:#dfe9ef;" in css
    # A printed map is light wherever it lies.
    assert root_css("paper").count("--power-0:") == 1


def test_no_style_sheet_or_script_has_a_colour_of_a_power_of_its_own() -> None:
    colours = {scheme[f"{kind}{n}"] for scheme in SCHEMES.values() for kind in ("power", "tint") for n in ALL}
    for path in (ROOT / "bordeaux").rglob("*.*"):
        if path.suffix in (".py", ".css", ".js") and path.name != "palette.py":
            found = colours & set(re.findall(r"#[0-9a-f]{6}\b", path.read_text("utf-8")))
            assert not found, (path, found)
