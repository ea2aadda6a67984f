"""Fuzzing of the codec: every body is a frame or a `BadFrame`, in both directions, and costs little time."""

import time
from random import Random

from protocol.codec import BadFrame, Splitter, decode_client, decode_server
from protocol.limit import FRAME_TO_CLIENT, Limits
from tests.fuzz.corpus import Corpus, framed
from tests.fuzz.report import STALL_S, Failure, Round
from tests.protocol.strategy import CLIENT_FRAMES, SERVER_FRAMES

DIRECTIONS = (
    (CLIENT_FRAMES, Limits().frame, decode_client),
    (SERVER_FRAMES, FRAME_TO_CLIENT, decode_server),
)


def run(seed: int, frames: int) -> Round:
    """Decode so many bodies."""
    done = Round()
    random = Random(f"codec {seed}")
    sides = [(Corpus(random, kinds, {}, limit), limit, set(kinds), read) for kinds, limit, read in DIRECTIONS]
    while done.frames < frames:
        corpus, limit, kinds, read = random.choice(sides)
        body = corpus.lawful() if random.random() < 0.2 else corpus.flawed()
        began = time.thread_time()
        try:
            for piece in _through_splitter(random, body, limit):
                if type(read(piece)) not in kinds:
                    raise Failure("something else than a frame was read", done.frames)
                done.count("lawful")
        except BadFrame as bad:
            done.count(bad.code.value)
            if not bad.text.isprintable():
                raise Failure(f"a complaint is not printable: {bad.text!r}", done.frames) from bad
        except Exception as bug:
            raise Failure(f"uncaught: {bug!r}", done.frames) from bug
        done.took(time.thread_time() - began, STALL_S)
        done.frames += 1
    return done


def _through_splitter(random: Random, body: bytes, limit: int) -> list[bytes]:
    """Cut a body out of the stream again, in which it arrives in pieces."""
    splitter, data = Splitter(limit, limit), framed(body)
    cut = random.randrange(len(data) + 1)
    return splitter.feed(data[:cut]) + splitter.feed(memoryview(data)[cut:])
