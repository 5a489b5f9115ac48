"""For how long somebody waits for what is asked of an open file."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from pipelint.server.schedule import Schedule


def test_what_was_asked_of_a_text_is_given_up_when_it_changes() -> None:
    async def typing() -> None:
        schedule = Schedule(lambda uri: None)
        asked, beside = schedule.patience("a.py"), schedule.patience("b.py")
        assert schedule.patience("a.py") is asked, "a check and a question about one text end together"
        schedule.changed("a.py", list)
        assert asked.over
        assert not schedule.patience("a.py").over, "the text of now is waited for"
        assert not beside.over

    # Other tests of this process may leave a loop of their own at work in its first thread.
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, typing()).result()
