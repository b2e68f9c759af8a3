import click
import pytest

from bench import wrk

SAID = """Running 1s test @ http://127.0.0.1:8000/
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.87s   625.79ms   2.72s    99.59%
    Req/Sec     8.17      5.12    20.00     58.33%
  Latency Distribution
     50%  811.00us
     75%    1.20ms
     90%    2.44ms
     99%    {p99}
  34 requests in 5.08s, 30.19MB read
{fault}Requests/sec:   6701.25
Transfer/sec:      5.95MB
"""


@pytest.mark.parametrize(
    ("p99", "milliseconds"), [("950.00us", 0.95), ("2.50ms", 2.5), ("2.72s ", 2720), ("1.50m ", 90_000)]
)
def test_the_rate_and_the_p99_are_read(p99, milliseconds):
    figure = wrk.figure(SAID.format(p99=p99, fault=""), "http://127.0.0.1:8000/")

    assert (figure.rate, figure.p99) == (6701.25, pytest.approx(milliseconds))


@pytest.mark.parametrize(
    "fault",
    [
        "  Socket errors: connect 0, read 3, write 0, timeout 0\n",
        "  Non-2xx or 3xx responses: 34\n",
    ],
)
def test_a_fault_of_one_answer_ends_the_measurement(fault):
    with pytest.raises(click.ClickException, match=fault.strip()):
        wrk.figure(SAID.format(p99="2.50ms", fault=fault), "http://127.0.0.1:8000/")


def test_words_without_figures_end_the_measurement():
    with pytest.raises(click.ClickException, match="unable to connect"):
        wrk.figure("unable to connect to 127.0.0.1:8000 Connection refused", "http://127.0.0.1:8000/")
