"""Pictures of pages: one look and two pages of the many that the command draws."""

from pathlib import Path

import pytest

from tools.screenshot import LOOKS, PAGES, _draw_page


def test_every_page_is_drawn_at_three_sizes_in_both_colours():
    assert {look.size for look in LOOKS} == {(80, 24), (120, 40), (200, 60)}
    assert len(LOOKS) == 6


@pytest.mark.parametrize(("name", "shown"), [("start", "Command&#160;Line&#160;Conquer"), ("keys", "Keys")])
async def test_a_picture_names_only_fonts_that_a_machine_has(tmp_path: Path, name: str, shown: str) -> None:
    path = tmp_path / f"{name}.svg"
    await _draw_page(path, tmp_path, LOOKS[0], PAGES[name])
    picture = path.read_text()
    assert shown in picture
    assert "url(http" not in picture
    assert "Fira" not in picture
