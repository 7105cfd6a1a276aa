"""Orders of every kind, given with a real mouse."""

from .conftest import Open
from .served import Served


def position(phase: str, units: dict[str, list[str]], **more: object) -> dict[str, object]:
    """A state as the page's server reads it."""
    return {"state": {"name": phase, "map": "standard", "units": units, "centers": {}, **more}}


def test_moves_by_click_and_by_drag_and_holds(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.click("PAR", "BUR")
    table.wait_for_orders("A PAR - BUR")
    table.drag("MAR", "SPA")
    table.click("BRE", "BRE")
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA", "F BRE H")
    # A unit has one order: the next one takes its place.
    table.drag("BRE", "MAO")
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA", "F BRE - MAO")
    # Where it cannot go nothing comes of it.
    table.drag("PAR", "MOS")
    table.button("Undo", "#orders").click()
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA", "F BRE H")
    table.until(lambda: server.node(table.study)["draft"].get("FRANCE", []) == table.orders)


def test_supports_by_clicks_keys_and_drag(open_page: Open, server: Served) -> None:
    table = open_page(server.study(**position("S1902M", {"FRANCE": ["A PAR", "A MAR", "A GAS", "F BRE"]})))
    table.click("PAR", "BUR")
    table.button("Support", "#tools").click()
    table.click("MAR", "PAR", "BUR")
    table.wait_for_orders("A PAR - BUR", "A MAR S A PAR - BUR")
    table.press("s")
    table.click("GAS", "PAR", "PAR")
    table.wait_for_orders("A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR")
    table.drag("BRE", "PAR")
    table.drag("GAS", "MAR", shift=True)
    table.wait_for_orders("A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A MAR")
    # Dropped on the unit that moves, its move is supported; where it goes elsewhere, that is told.
    table.drag("GAS", "PAR", shift=True)
    table.wait_for_orders("A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR")
    told = table.page.locator(".prompt")
    table.drag("PAR", "PIC")
    table.wait_for_orders("A PAR - PIC", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR")
    told.get_by_text("Unmatched now: A MAR S A PAR - BUR, A GAS S A PAR - BUR.").wait_for()
    idle = table.page.locator("#orders li.order", has_text="unmatched").locator(".text")
    assert idle.all_text_contents() == ["A MAR S A PAR - BUR", "A GAS S A PAR - BUR"]
    table.drag("GAS", "PAR", shift=True)
    told.get_by_text("Gascony cannot support Paris, which is ordered to Picardy.").wait_for()


def test_no_order_goes_unsaid(open_page: Open, server: Served) -> None:
    study = server.study()
    server.call(
        "POST", f"/api/studies/{study}/nodes/0/adjudicate", {"orders": {"FRANCE": ["A PAR - BUR", "A MAR H"]}}
    )
    server.call("PUT", f"/api/studies/{study}/nodes/0/draft", {"FRANCE": ["F BRE - ENG"]})
    table = open_page(study)
    told = table.page.locator(".prompt")
    # A change begins with what is shown, whatever the draft has.
    table.wait_for_orders("A PAR - BUR", "A MAR H")
    table.drag("MAR", "SPA")
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA")
    told.get_by_text("Undo brings the earlier one back").wait_for()
    table.press("u")
    table.wait_for_orders("F BRE - ENG")
    # Orders that come from elsewhere can be taken back too.
    table.open_tab("People")
    people = table.page.locator("#panel-people").get_by_role("group", name="France", exact=True)
    people.locator("button.answer-line").first.click()
    told.get_by_text("Other orders took the place of yours; Undo brings those back.").wait_for()
    table.press("u")
    table.wait_for_orders("F BRE - ENG")


def test_a_build_too_many_says_which_one_goes(open_page: Open, server: Served) -> None:
    centers = {"FRANCE": ["PAR", "BRE", "MAR"]}
    table = open_page(server.study(**position("W1902A", {"FRANCE": ["A PIC", "A GAS"]}, centers=centers)))
    table.click("PAR")
    table.wait_for_orders("A PAR B")
    table.click("MAR")
    table.pick("Army")
    table.wait_for_orders("A MAR B")
    table.page.locator(".prompt", has_text="No longer ordered: A PAR B.").wait_for()


def test_convoys_and_moves_by_them(open_page: Open, server: Served) -> None:
    units = {"ENGLAND": ["A LON", "F NTH", "F ENG"], "FRANCE": ["A PIC"]}
    table = open_page(server.study(**position("S1902M", units)))
    # Army and fleet of a power are ordered together, whichever is clicked; one undo takes both back.
    table.click("LON", "NWY")
    table.wait_for_orders("A LON - NWY VIA", "F NTH C A LON - NWY")
    table.press("u")
    table.wait_for_orders()
    table.press("c")
    table.click("NTH", "LON", "NWY")
    table.wait_for_orders("A LON - NWY VIA", "F NTH C A LON - NWY")
    # A neighbour is gone to by land; a convoy there is asked for.
    table.press("c")
    table.click("PIC", "BEL")
    table.wait_for_orders("A LON - NWY VIA", "F NTH C A LON - NWY", "A PIC - BEL VIA")
    table.drag("PIC", "BEL")
    table.wait_for_orders("A LON - NWY VIA", "F NTH C A LON - NWY", "A PIC - BEL")
    table.adjudicate("Fall 1902")
    assert "A NWY" in server.node(table.study, table.node)["state"]["units"]["ENGLAND"]


def test_retreats_and_disbands(open_page: Open, server: Served) -> None:
    units = {"FRANCE": ["A BUR", "*A MUN"], "GERMANY": ["A MUN", "A RUH", "*A BUR"]}
    retreats = {"GERMANY": {"A BUR": ["BEL", "GAS"]}, "FRANCE": {"A MUN": ["TYR", "BOH"]}}
    table = open_page(server.study(**position("F1902R", units, retreats=retreats)))
    table.click("BUR", "BEL")
    table.wait_for_orders("A BUR R BEL")
    table.drag("MUN", "BOH")
    table.wait_for_orders("A BUR R BEL", "A MUN R BOH")
    table.button("Disband", "#tools").click()
    table.click("MUN")
    table.wait_for_orders("A BUR R BEL", "A MUN D")
    table.adjudicate("Winter 1902")
    units = server.node(table.study, table.node)["state"]["units"]
    assert "A BEL" in units["GERMANY"] and units["FRANCE"] == ["A BUR"]


def test_builds_waivers_and_disbands(open_page: Open, server: Served) -> None:
    centers = {"RUSSIA": ["STP", "MOS", "WAR", "SEV"], "FRANCE": ["PAR"]}
    units = {"RUSSIA": ["A RUM"], "FRANCE": ["A PAR", "F BRE"]}
    table = open_page(server.study(**position("W1902A", units, centers=centers)))
    table.click("STP")
    table.pick("Fleet, south coast")
    table.wait_for_orders("F STP/SC B")
    table.click("WAR")
    table.wait_for_orders("F STP/SC B", "A WAR B")
    table.page.get_by_role("combobox", name="Type an order").fill("waive")
    table.press("Enter")
    table.wait_for_orders("F STP/SC B", "A WAR B", "WAIVE")
    table.button("Undo").click()
    table.wait_for_orders("F STP/SC B", "A WAR B")
    table.button("Waive a build of Russia").click()
    table.wait_for_orders("F STP/SC B", "A WAR B", "WAIVE")
    table.click("BRE")
    table.wait_for_orders("F STP/SC B", "A WAR B", "WAIVE", "F BRE D")
    table.adjudicate("Spring 1903")
    state = server.node(table.study, table.node)["state"]["units"]
    assert sorted(state["RUSSIA"]) == ["A RUM", "A WAR", "F STP/SC"] and state["FRANCE"] == ["A PAR"]


def test_an_order_can_be_typed(open_page: Open, server: Served) -> None:
    units = {"FRANCE": ["A PAR", "F MAO"], "RUSSIA": ["F STP/SC", "A WAR"]}
    table = open_page(server.study(state={"name": "S1902M", "units": units, "centers": {"FRANCE": ["PAR"]}}))
    table.press("/")
    table.page.keyboard.type("army paris to burgundy")
    table.press("Enter")
    table.wait_for_orders("A PAR - BUR")
    # A coast that is left out is asked for.
    table.page.keyboard.type("mao spain")
    table.press("Enter")
    table.pick("South coast")
    table.wait_for_orders("A PAR - BUR", "F MAO - SPA/SC")
    # What is no legal order stays in the field, and is told why as the commands tell it.
    why_not = table.page.locator("#orders .why-not")
    field = table.page.get_by_role("combobox", name="Type an order")
    for typed, why in (
        ("F STP - MOS", "F STP/SC - MOS: "),
        ("A PAR - MOS", "A PAR - MOS: "),
        ("A WAR - XYZ", "unknown province 'XYZ'"),
        ("A BUR - PAR", "there is no unit in BUR"),
    ):
        field.fill(typed)
        table.press("Enter")
        why_not.get_by_text(why).wait_for()
        assert field.input_value() == typed and field.get_attribute("aria-invalid") == "true"
    assert table.page.locator("#alerts .notice").count() == 0
    # The same order again changes nothing, and Undo takes back the one before.
    field.fill("F MAO - SPA/SC")
    table.press("Enter")
    table.until(lambda: field.input_value() == "")
    table.button("Undo").click()
    table.wait_for_orders("A PAR - BUR")
    field.fill("F MAO - SPA/SC")
    table.press("Enter")
    table.wait_for_orders("A PAR - BUR", "F MAO - SPA/SC")
    field.fill("A M")
    assert why_not.inner_text() == ""
    table.wait_for_orders("A PAR - BUR", "F MAO - SPA/SC")


def test_any_map_takes_orders(open_page: Open, server: Served) -> None:
    study = server.study(start=True, map="pure")
    table = open_page(study)
    unit = next(iter(server.node(study)["legal"].items()))
    goal = next(text for text in unit[1] if " - " in text)
    table.click(unit[0], goal.split()[-1])
    table.wait_for_orders(goal)
