"""ETags name the revisions of exactly the data sets of a response, and stale ones have a true age."""

from datetime import timedelta

import pytest

from campus_api import catalog
from tests.factories import building, serving


@pytest.fixture
def loaded(service):
    service.serve_buildings(building(1))
    service.serve_dining(serving(1))
    return service


def etag(service, path="/dining/menus"):
    return service.app.get(path).headers["ETag"]


@pytest.mark.parametrize("endpoint", catalog.DATA.values(), ids=lambda endpoint: endpoint.path)
@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_a_load_changes_the_etags_of_its_data_set_only(loaded, endpoint, dataset):
    before = etag(loaded, endpoint.path)

    if dataset == "buildings":
        loaded.serve_buildings(building(2))
    else:
        loaded.serve_dining(serving(2))

    shows = "buildings" if endpoint.path.startswith("/map/") else "dining"
    also = "buildings" if endpoint.path == "/dining/locations.geojson" else shows
    assert (etag(loaded, endpoint.path) != before) == (dataset in (shows, also))


def test_a_database_that_was_created_again_has_other_etags(loaded):
    before = etag(loaded)

    record = loaded.database.datasets.find_one({"_id": "dining"})
    later = record["loaded_at"] + timedelta(seconds=1)
    loaded.database.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": later}})
    loaded.revisions.poll()

    assert etag(loaded) != before


def test_a_live_version_has_the_age_of_the_last_poll_and_not_of_its_load(loaded):
    record = loaded.database.datasets.find_one({"_id": "dining"})
    yesterday = record["loaded_at"] - timedelta(days=1)
    loaded.database.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": yesterday}})
    loaded.revisions.poll()

    assert loaded.revisions.age(loaded.revisions.latest.version("dining")) < 3600
