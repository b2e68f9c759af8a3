"""The campus data API: buildings and dining menus, over HTTP."""


def main(global_config, **ini):
    """Return the WSGI application that the ini file describes."""
    # Here, so that loaders and other users of a single module do not import Pyramid.
    import logging

    from pyramid.config import Configurator

    from campus_api import assets, settings
    from campus_api.db.connection import connect_to_read
    from campus_api.db.revisions import Datasets
    from campus_api.db.stores import Stores
    from campus_api.domain.clock import Clock
    from campus_api.http.access_log import RequestLog
    from campus_api.http.cache import Answers
    from campus_api.http.lru import Kept
    from campus_api.http.request_id import Record
    from campus_api.index import Index
    from campus_api.monitoring.health import Health
    from campus_api.monitoring.metrics import Metrics
    from campus_api.resources import root

    values = settings.read(ini)
    logging.setLogRecordFactory(Record)
    clock = Clock(values["clock.time_zone"], values["clock.stopped_at"])
    connection = connect_to_read(values)
    if values["mongo.uri"].startswith("embedded:"):
        from loaders.samples import fill  # the one place where the API knows the loaders

        fill(connection.database, clock.today())
    datasets = Datasets(connection.database, connection.close)
    kept = Kept(values["answers.memory_mb"])
    health = Health(datasets, kept, clock)
    metrics = Metrics(health)
    files = assets.read()
    index = Index(datasets, clock, files)
    tree = root(Stores(connection.database, datasets), clock, health, metrics, files, index)
    config = Configurator(settings={**ini, **values}, root_factory=lambda request: tree)
    config.registry["datasets"] = datasets
    config.include("campus_api.http.tweens")
    config.include("campus_api.views")
    answers = Answers(config.make_wsgi_app(), datasets, kept, metrics, clock, values["answers.max_age"])
    datasets.watch(then=answers.prepare)
    return RequestLog(answers) if values["log.access"] else answers
