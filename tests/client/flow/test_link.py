"""The link that a friend needs."""

from dataclasses import replace

from client.flow.link import link_to
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
