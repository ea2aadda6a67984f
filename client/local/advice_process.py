"""The process in which hints and reviews are worked out; `client.local.advice` asks it."""

from client.bots.bot import advise
from client.bots.review import review
from client.core.advice import Advice
from client.core.record import BadRecord, Record
from client.core.review import Review
from client.local.advice import Undecided
from protocol.process.child import Tell, answer


def work_out(question: Undecided | Record, tell: Tell) -> Advice | Review | BadRecord:
    """Say what a position or a whole match is worth; a record that is no match is an answer, too."""
    if isinstance(question, Undecided):
        assert question.view is not None, "a player who owes a move sees something"
        return advise(question.view, question.legal, question.options)
    try:
        return review(question, lambda number: tell(number / len(question.moves)))
    except BadRecord as problem:
        return problem


if __name__ == "__main__":
    answer(work_out)
