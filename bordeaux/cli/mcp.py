"""``bordeaux mcp``: the engine as tools of the Model Context Protocol."""

from __future__ import annotations

import importlib.util

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import folder_named, json_option, whole
from bordeaux.cli.report import report
from bordeaux.cli.report.output import print_json
from bordeaux.studies.store import Store


@click.command("mcp")
@click.option(
    "--http",
    "port",
    type=whole(0, 65535),
    metavar="PORT",
    help="Serve HTTP on this port of this machine instead; 0: any free one.",
)
@click.option(
    "--studies",
    metavar="FOLDER",
    help="Where games are kept.  [default: bordeaux/studies with your data, as for analyse]",
)
@json_option
def command(port: int | None, studies: str | None, as_json: bool) -> int:
    """Serve the engine as tools for language models, by the Model Context Protocol.

    Without --http it talks on standard input and output, as clients start it. The tools read positions in
    every format, check and adjudicate orders, advise, compare, review, and play games against the engine and
    its diplomats. Games are files in a folder; the page shows them too, and nothing else is read or written.

    With --http the first line is the address, the second the header that every request must have. Only this
    machine can reach it. It needs the extra mcp.

    \b
    Examples:
      bordeaux mcp
      bordeaux mcp --http 8714
    """
    if as_json and port is None:
        raise click.UsageError("--json goes with --http: standard output belongs to the protocol")
    if importlib.util.find_spec("mcp") is None:
        raise BordeauxError("tools for agents need the extra mcp: pip install 'bordeaux-diplomacy[mcp]'")
    from bordeaux.protocols.mcp.desk import AgentDesk
    from bordeaux.protocols.mcp.server import PATH, AgentServer, serve_http, serve_streams

    server = AgentServer(AgentDesk(Store(folder_named(studies), report), report))
    if port is None:
        return serve_streams(server)

    def ready(number: int, token: str) -> None:
        address = f"http://127.0.0.1:{number}{PATH}"
        if as_json:
            print_json({"address": address, "token": token})
        else:
            click.echo(address)
            click.echo(f"Authorization: Bearer {token}")

    return serve_http(server, port, ready)
