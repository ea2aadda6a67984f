"""The link that a friend needs."""

from dataclasses import replace

from client.flow.link import link_lines, link_to
from client.flow.wanted import Display
from client.net.connection import Target
from tests.client.people import HOST, Player, hosting


async def test_a_qr_code_and_a_public_address_can_be_shown(ann: Player) -> None:
    display = Display(public=("example.org", 0), is_qr=True, is_ascii=True)
    async with hosting(ann, replace(HOST, display=display)) as (_, link):
        assert link.startswith("conquest://example.org:")


def test_the_link_names_the_port_that_the_outside_world_uses() -> None:
    server = Target("192.0.2.7", 40000, "A" * 43)
    assert str(link_to(server, Display(), "7K3M9QXZ")) == f"conquest://192.0.2.7:40000/7K3M9QXZ#fp={'A' * 43}"
    assert link_to(server, Display(("example.org", 7717)), "7K3M9QXZ").port == 7717
    assert link_to(server, Display(("example.org", 0)), "7K3M9QXZ").port == 40000


def test_a_link_that_leads_through_a_relay_says_that_the_code_alone_does_not() -> None:
    server = Target("relay.example", 7717, "A" * 43, relay=40000)
    link = link_to(server, Display(), "7K3M9QXZ")
    assert str(link) == f"conquest://relay.example:7717/7K3M9QXZ?relay=40000#fp={'A' * 43}"
    said = link_lines(link, Display())
    assert "Code: 7K3M-9QXZ (on the same network; from outside it takes the link)" in said
    assert "Code: 7K3M-9QXZ" in link_lines(replace(link, relay=0), Display())
