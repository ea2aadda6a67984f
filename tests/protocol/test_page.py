"""`docs/protocol.md` is true: every frame, field, code, limit and example on it is the code's own."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import msgpack
import pytest
from pydantic_core import PydanticUndefined

from protocol import limit
from protocol.choice import Choice
from protocol.codec import Splitter, decode_client, decode_server, encode
from protocol.games import MODULES, TITLES, grid, parse_move
from protocol.games.view import GameView
from protocol.outcome import ABANDONED, CALLED_OFF, CLOCK, MOVE_CAP, RESIGNED, Outcome
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Noticed, OpenMatch, Turned
from server.games import GAMES
from tests.protocol.conversation import Conversation
from tests.protocol.page import PAGE, described, sections
from tests.protocol.strategy import CLIENT_FRAMES, SERVER_FRAMES

SECTIONS = sections()
EXAMPLES = [(section, example) for section in SECTIONS for example in section.examples]
TEXT = PAGE.read_text("utf-8")
WORDS = " ".join(TEXT.split())
PARTS = {
    "Choice": Choice,
    "Outcome": Outcome,
    "Open match": OpenMatch,
    "Turned": Turned,
    "Standing challenge": grid.Standing,
}


def members(union):
    """List the models of a union that may have been given a discriminator, or may be a single model."""
    while not (isinstance(union, type) or all(isinstance(part, type) for part in get_args(union))):
        union = get_args(union)[0]
    return get_args(union) or (union,)


def literal(model, name):
    return model.model_fields[name].default


def described_models():
    """Pair every model with the headings under which the page must describe it."""
    for way, frames in (("client", CLIENT_FRAMES), ("server", SERVER_FRAMES)):
        for frame in frames:
            yield (f"Frames from the {way}", f"`{literal(frame, 'type')}`"), frame
    for title, part in PARTS.items():
        yield (title,), part
    for module in MODULES.values():
        yield (module.ID, f"view `{module.ID}`"), module.View
        for move in members(module.Move):
            yield (module.ID, f"move `{literal(move, 'kind')}`"), move
        for event in members(module.Event):
            yield (module.ID, f"event `{literal(event, 'kind')}`"), event


MODELS = list(described_models())
every_model = pytest.mark.parametrize(
    ("titles", "model"), MODELS, ids=["/".join(titles) for titles, _ in MODELS]
)


def section_of(titles):
    (found,) = [section for section in SECTIONS if section.titles[-len(titles) :] == titles]
    return found


def first_column(title):
    (found,) = [section for section in SECTIONS if section.title == title]
    return [row[0].strip("`") for row in found.rows]


@every_model
def test_the_table_has_exactly_the_fields_with_their_types_and_defaults(titles, model):
    expected = [
        (f"`{name}`", cell_of(field)) for name, field in model.model_fields.items() if is_listed(model, name)
    ]
    assert [row[:2] for row in section_of(titles).rows] == expected


def is_listed(model, name):
    """What tells models apart stands in their headings; what all views share stands in one place."""
    is_shared = issubclass(model, GameView) and name in GameView.model_fields
    return not is_shared and len(get_args(model.model_fields[name].annotation)) != 1


def cell_of(field):
    """Say what the page must say about a field's type."""
    default = field.get_default(call_default_factory=True)
    optional = "" if default is PydanticUndefined else f" = `{json.dumps(default)}`"
    return described(field.annotation, field.metadata) + optional


@every_model
def test_each_is_shown_by_an_example_of_its_own(titles, model):
    assert any(type(read(example)) is model for example in section_of(titles).examples)


def test_no_section_describes_what_does_not_exist():
    last = {titles[-1] for titles, _ in MODELS}
    assert {s.title for s in SECTIONS if re.match(r"`|move |view |event ", s.title)} <= last


def test_the_fields_that_all_views_share_are_described_once():
    shared = [(f"`{name}`", described(f.annotation, f.metadata)) for name, f in GameView.model_fields.items()]
    assert [row[:2] for row in section_of(("The games",)).rows] == [*shared, ("`game`", "text")]


def read(example):
    """Turn an example into what the code makes of it."""
    raw = json.loads(example.text)
    match example.tags:
        case ("json", "client"):
            return decode_client(msgpack.packb(raw))
        case ("json", "server"):
            return decode_server(msgpack.packb(raw))
        case ("json", "move", game):
            return parse_move(game, raw)
        case ("json", "view" | "event" | "choice" | "outcome" | "openmatch" | "turned" | "standing"):
            models = [model for _, model in MODELS if model not in (*CLIENT_FRAMES, *SERVER_FRAMES)]
            kind = (example.tags[1], raw.get("kind"), raw.get("game"))
            (model,) = [model for model in models if kind_of(model, raw) == kind]
            return model.model_validate(msgpack.unpackb(msgpack.packb(raw)))
    raise AssertionError(f"nobody reads {example.tags}")


def kind_of(model, raw):
    """Say with which tag, kind and game an example of this model would come."""
    if issubclass(model, GameView):
        return "view", None, literal(model, "game")
    if "kind" in model.model_fields and model is not Choice:
        return "event", literal(model, "kind"), None
    return model.__name__.lower(), raw.get("kind"), raw.get("game")


JSON_EXAMPLES = [example for _, example in EXAMPLES if example.tags[0] == "json"]


@pytest.mark.parametrize("example", JSON_EXAMPLES, ids=lambda example: example.text[:40])
def test_an_example_comes_back_from_the_wire_as_it_is_written(example):
    made = read(example)
    written = json.loads(example.text)
    defaults = {
        name: field.get_default(call_default_factory=True)
        for name, field in type(made).model_fields.items()
        if example.tags[1] == "client" and not field.is_required()
    }
    assert json.loads(made.model_dump_json()) == json.loads(json.dumps(defaults)) | written
    if example.tags[1] in ("client", "server"):
        (body,) = Splitter().feed(encode(made))
        assert json.loads(json.dumps(msgpack.unpackb(body))) == json.loads(made.model_dump_json())


def test_the_frame_that_is_spelled_out_has_exactly_these_bytes():
    section = section_of(("Bytes",))
    (ping,) = [example for example in section.examples if example.tags == ("json", "client")]
    (spelled,) = [example for example in section.examples if example.tags == ("hex",)]
    pairs = [re.match(r"(?:[0-9a-f]{2} {1,2})+", line)[0] for line in spelled.text.splitlines()]
    assert bytes.fromhex("".join(pairs)) == encode(read(ping))
    assert f"as the {len(encode(read(ping)))} bytes below" in WORDS


@pytest.mark.parametrize(
    ("section", "example"),
    [pair for pair in EXAMPLES if pair[1].tags[:2] == ("text", "conversation")],
    ids=lambda it: getattr(it, "title", ""),
)
def test_a_conversation_goes_as_it_is_written(section, example):
    conversation = Conversation(*example.tags[2:])
    for line in example.text.splitlines():
        conversation.follow(line)
    conversation.assert_nothing_unsaid()


def test_every_refusal_and_every_reason_to_close_is_explained():
    assert sorted(first_column("Refusals")) == sorted(RefusalCode)
    assert sorted(first_column("Closing")) == sorted(CloseCode)
    assert all(row[-1] or row[1] for row in section_of(("Refusals",)).rows)
    assert all(row[1] and row[2] for row in section_of(("Closing",)).rows)


def test_every_notice_is_named():
    for code in get_args(Noticed.model_fields["code"].annotation):
        assert f"`{code}`" in TEXT


def test_every_limit_stands_there_with_its_default():
    stated = {row[0].strip("`"): float(row[1]) for row in section_of(("Limits",)).rows}
    limits = limit.Limits()
    assert stated == {each.name: float(getattr(limits, each.name)) for each in fields(limits)}


def test_the_shape_of_a_frame_is_stated():
    assert f"a text has at most {limit.STR_LEN} bytes, an array at most {limit.ARRAY_LEN} items" in WORDS
    assert (
        f"a map at most {limit.MAP_LEN} keys, and containers are nested at most {limit.DEPTH} deep" in WORDS
    )
    assert f"A body from the server has at most {limit.FRAME_TO_CLIENT} bytes" in WORDS
    assert f"The usual port is {limit.DEFAULT_PORT}" in WORDS
    assert f"# The Conquest protocol, version {limit.PROTOCOL_VERSION}\n" in TEXT


@pytest.mark.parametrize("game", TITLES)
def test_a_games_options_and_reasons_are_named(game):
    about = " ".join(re.search(rf"(?ms)^### {game}\n(.*?)^####", TEXT)[1].split())
    assert TITLES[game] in about
    for name, option in GAMES[game].options.items():
        assert f"Option `{name}`" in about
        assert f"`{option.default}`" in about
    assert ("No options." in about) == (not GAMES[game].options)
    won = MODULES[game].Won
    reasons = get_args(won.model_fields["reason"].annotation) if "reason" in won.model_fields else ()
    for reason in reasons or {"digit": ("exactly_fifty",), "duel": ("no_hp",)}[game]:
        assert f"`{reason}`" in about


def test_the_reasons_that_any_match_may_end_for_are_named():
    assert first_column("A match") == [RESIGNED, CLOCK, ABANDONED, CALLED_OFF, MOVE_CAP]


def test_every_request_is_in_the_table_of_answers():
    listed = re.findall(r"`(\w+)`", " ".join(row[0] for row in section_of(("Requests and answers",)).rows))
    assert sorted(listed) == sorted(literal(frame, "type") for frame in CLIENT_FRAMES[1:])


ROOT = PAGE.parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_files_that_a_page_names_are_there(path):
    page = path.read_text("utf-8")
    named = set(re.findall(r"`((?:bench|client|docs|protocol|server|tests|tools)/[\w/]+\.\w+)`", page))
    made_up = {name for name in named if Path(name).stem == "nim"}
    assert [name for name in sorted(named - made_up) if not (ROOT / name).exists()] == []


def test_the_tests_that_a_page_names_are_there():
    named = {name for path in PAGES for name in re.findall(r"`(test_\w+)`", path.read_text("utf-8"))}
    there = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name in sorted(named) if f"def {name}(" not in there] == []


def test_every_link_within_the_page_leads_somewhere():
    anchors = []
    for section in SECTIONS:
        anchor = re.sub(r"[^\w -]", "", section.title.lower()).replace(" ", "-")
        seen = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", known) is not None for known in anchors)
        anchors.append(f"{anchor}-{seen}" if seen else anchor)
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= set(anchors)
