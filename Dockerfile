# The service and the loaders of the campus data API; docs/operations.md#containers describes the image.
ARG BASE=python:3.13-slim-bookworm

FROM ${BASE} AS build
ARG COMMIT=
COPY . /src
WORKDIR /src
RUN python3 -m venv /opt/campus-api \
    && /opt/campus-api/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock \
    && CAMPUS_BUILD_COMMIT="$COMMIT" /opt/campus-api/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheel . \
    && /opt/campus-api/bin/pip install --no-index --no-deps /wheel/*.whl
# In a container, other containers are the clients.
RUN /opt/campus-api/bin/campus-config template production | sed 's/^host = .*/host = 0.0.0.0/' > /campus-api.ini

FROM ${BASE}
COPY --from=build /opt/campus-api /opt/campus-api
COPY --from=build /campus-api.ini /etc/campus-api/production.ini
ENV PATH=/opt/campus-api/bin:$PATH PYTHONDONTWRITEBYTECODE=1 CAMPUS_INI=/etc/campus-api/production.ini
# /tmp needs a tmpfs if the root is read-only.
USER 10001:10001
WORKDIR /tmp
EXPOSE 6543
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["env", "no_proxy=127.0.0.1", "python3", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:6543/__lbheartbeat__', timeout=2)"]
CMD ["pserve", "/etc/campus-api/production.ini"]
