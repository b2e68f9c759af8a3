import click
import pytest

from bench import wrk

OUTPUT = """Running 1s test @ http://127.0.0.1:8000/
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
{error}Requests/sec:   6701.25
Transfer/sec:      5.95MB
"""


@pytest.mark.parametrize(
    ("p99", "milliseconds"), [("950.00us", 0.95), ("2.50ms", 2.5), ("2.72s ", 2720), ("1.50m ", 90_000)]
)
def test_rate_and_p99_are_parsed(p99, milliseconds):
    figure = wrk.parse(OUTPUT.format(p99=p99, error=""), "http://127.0.0.1:8000/")

    assert (figure.rate, figure.p99) == (6701.25, pytest.approx(milliseconds))


@pytest.mark.parametrize(
    "error",
    [
        "  Socket errors: connect 0, read 3, write 0, timeout 0\n",
        "  Non-2xx or 3xx responses: 34\n",
    ],
)
def test_failed_requests_end_the_benchmark(error):
    with pytest.raises(click.ClickException, match=error.strip()):
        wrk.parse(OUTPUT.format(p99="2.50ms", error=error), "http://127.0.0.1:8000/")


def test_output_without_figures_ends_the_benchmark():
    with pytest.raises(click.ClickException, match="unable to connect"):
        wrk.parse("unable to connect to 127.0.0.1:8000 Connection refused", "http://127.0.0.1:8000/")
