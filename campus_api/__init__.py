"""The campus data API: buildings and dining menus, over HTTP."""

from collections.abc import Callable, Mapping


def main(global_config: Mapping[str, str], **ini: str) -> Callable:
    """Return the WSGI application that the ini file describes."""
    # Here, so that loaders and other users of a single module do not import Pyramid.
    import logging

    from pyramid.config import Configurator
    from pyramid.request import Request
    from pyramid.tweens import EXCVIEW

    from campus_api import assets, documents, settings
    from campus_api.db.connection import connect_read_only
    from campus_api.db.revisions import RevisionMonitor
    from campus_api.db.stores import Stores
    from campus_api.domain.clock import Clock
    from campus_api.http.cache import SNAPSHOT, ResponseCache
    from campus_api.http.cache_key import FilterRequest
    from campus_api.http.request_id import RequestIdLogRecord
    from campus_api.http.store import ResponseStore
    from campus_api.index import Index
    from campus_api.instrumentation import Instrumentation
    from campus_api.monitoring import Metrics
    from campus_api.resources import Root

    values = settings.load(ini)
    logging.setLogRecordFactory(RequestIdLogRecord)
    clock = Clock(values["clock.time_zone"], values["clock.frozen_at"])
    revisions = RevisionMonitor(*connect_read_only(values))
    store = ResponseStore(values["cache.memory_mb"])
    index = Index(revisions, store, clock, values)
    metrics = Metrics(index)

    def root(request: Request) -> Root:
        return Root(Stores(request.environ.get(SNAPSHOT, revisions.latest), clock.time_zone))

    config = Configurator(settings={**ini, **values}, root_factory=root, request_factory=FilterRequest)
    config.registry.update(revisions=revisions, clock=clock, metrics=metrics, index=index)
    config.add_tween("campus_api.http.tweens.method_guard_tween_factory", under=EXCVIEW)
    config.include("campus_api.http.renderers")
    config.include("campus_api.views")
    app = config.make_wsgi_app()
    documents.read()
    cache = ResponseCache(app, assets.read().responses, revisions, store, clock, values["cache.max_age"])
    revisions.start_polling(cache.warm_up)
    return Instrumentation(cache, metrics, access_log=values["log.access"])


def make_app(global_conf: Mapping[str, str], **settings: str) -> Callable:
    """Return the WSGI application; a wrong setting or a missing embedded MongoDB ends the process with one line."""
    # Here, because whoever reads the section of an ini file imports this function, as loaders do.
    from campus_api.db.errors import DatabaseUnavailable
    from campus_api.settings import SettingError

    try:
        return main(global_conf, **settings)
    except (SettingError, DatabaseUnavailable) as error:
        raise SystemExit(str(error)) from None
