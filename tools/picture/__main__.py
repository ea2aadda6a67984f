"""`make pictures`: draw docs/house.svg and docs/move.svg anew from the code as it is."""

from tools.picture.drawing import ROOT
from tools.picture.house import draw_house
from tools.picture.move import draw_move

PICTURES = {"docs/house.svg": draw_house, "docs/move.svg": draw_move}
"""Each picture's file, and what draws it."""

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (ROOT / name).write_text(draw(), encoding="utf-8")
        print(name)
