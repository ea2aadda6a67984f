"""The kinds of values that frames are made of, each with its bounds."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.limit import STR_LEN
from protocol.link import CODE_PATTERN

Id = Annotated[int, Field(ge=1, le=2**31 - 1)]
Code = Annotated[str, Field(pattern=CODE_PATTERN)]
"""A match, by its join code."""
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Short = Annotated[str, Field(max_length=64)]
Text = Annotated[str, Field(max_length=STR_LEN)]
Options = Annotated[dict[Short, Short], Field(max_length=8)]
First = Literal["toss", "creator", "guest"]
"""A1: how it is settled who is Player 1."""
Offer = Literal["calloff", "rematch"]
ClockSeconds = Annotated[int, Field(ge=5, le=24 * 3600)]
