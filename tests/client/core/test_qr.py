"""A link as a QR code."""

from client.core.qr import qr_lines

LINK = "conquest://192.168.1.20:7717/7K3M9QXZ#fp=" + "A" * 43


def test_a_qr_code_is_square_and_framed() -> None:
    lines = qr_lines(LINK)
    width = len(lines[0])
    assert {len(line) for line in lines} == {width}
    assert len(lines) == (width + 1) // 2
    assert set("".join(lines)) == set(" ▀▄█")
    assert lines[0] == "█" * width


def test_a_qr_code_in_ascii_shows_the_same_squares() -> None:
    lines = qr_lines(LINK, is_ascii=True)
    assert set("".join(lines)) == {" ", "#"}
    assert [len(line) for line in lines] == [2 * len(lines)] * len(lines)
