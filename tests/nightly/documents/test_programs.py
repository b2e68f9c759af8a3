"""Ten programs of students: each needs one to three requests of documented endpoints."""

import csv
import json
from urllib.parse import urlencode

from campus_api.catalog import route
from campus_api.domain.geography import distance
from tests.processes.commands import fetch

HERE, TIME = (42.3744, -71.1169), "12:00"


class Client:
    """A client that remembers the paths of its requests."""

    def __init__(self, url):
        self.url = url
        self.paths = []

    def get(self, path, headers=None, **parameters):
        self.paths.append(path)
        return fetch(f"{self.url}{path}?{urlencode(parameters, doseq=True)}", headers)

    def json(self, path, **parameters):
        return json.loads(self.get(path, **parameters).body)

    def csv(self, path, **parameters):
        return list(csv.DictReader(self.get(path, **parameters).body.decode().splitlines()))

    def open_now(self):
        return [row for row in self.json("/dining/hours") if row["opens"] <= TIME < row["closes"]]


def vegan_dishes_within_500_metres_now(api):
    near = {
        hall["id"] for hall in api.json("/dining/locations") if hall["point"] and distance(HERE, hall["point"]) < 500
    }
    now = {(row["location"], row["meal"]) for row in api.open_now() if row["location"] in near}
    dishes = api.json("/dining/dishes", label="vegan")
    return {dish["name"] for dish in dishes if any((hall, dish["meal"]) in now for hall in dish["locations"])}


def next_tacos(api):
    first, *_ = api.json("/search", q="fish tacos", type="dish")
    return first["date"], first["name"]


def without_milk_and_nuts_tonight(api):
    return {row["name"] for row in api.json("/dining/dishes", meal=2, category=12, without=["milk", "nuts"])}


def open_halls(api):
    names = {hall["id"]: hall["name"] for hall in api.json("/dining/locations")}
    return {names[row["location"]]: row["closes"] for row in api.open_now() if row["closes"] != "14:00"}


def where_is_a_room(api):
    first, *_ = api.json("/search", q="LEH 0224")
    return api.json(first["url"])["geometry"]["point"]


def poll_for_changes(api):
    query = {"dataset": "dining", "since": api.json("/")["datasets"]["dining"]["revision"]}
    first = api.get("/changes", **query)
    return first.body, api.get("/changes", {"If-None-Match": first.headers["ETag"]}, **query).status


def calories_of_a_plan(api):
    return sum(facts["calories"] for facts in api.json("/dining/facts", recipe=[48031, 31016, 83023]))


def spreadsheet_of_calories(api):
    return {row["recipe_name"]: row["calories"] for row in api.csv("/dining/dishes.csv", meal=2, category=18, _=1)}


def nearest_hall(api):
    distances = {each["id"]: each["distance"] for each in api.json("/map/buildings", near="42.3744,-71.1169")}
    halls = [hall for hall in api.json("/dining/locations") if hall["building"]]
    return min(halls, key=lambda hall: distances[hall["building"]])["name"]


def unknown_allergens(api):
    dishes = api.json("/dining/dishes")
    return [dish["name"] for dish in dishes if not dish["facts"] or dish["facts"]["contains"] is None]


PROGRAMS = {
    vegan_dishes_within_500_metres_now: {
        "Fresh Cut Melon",
        "House Falafel",
        "Hummus and Vegetable Wrap",
        "Minestrone",
        "Multigrain Rolls",
        "Spanish Rice",
        "Thai Basil Tofu",
    },
    next_tacos: ("2026-11-21", "Fish Tacos with Cabbage Slaw"),
    without_milk_and_nuts_tonight: {
        "General Wong's Chicken",
        "Grilled Halal Chicken Breast",
        "Roast Pork Loin with Cider Glaze",
    },
    open_halls: {"Fly-By": "14:30", "Annenberg Hall": "13:30"},
    where_is_a_room: [42.37371, -71.11848],
    poll_for_changes: (b"[]", 304),
    calories_of_a_plan: 718,
    spreadsheet_of_calories: {"Cinnamon Rice Pudding": "162", "Crème Brûlée": "312"},
    nearest_hall: "Fly-By",
    unknown_allergens: ["Italian Sub"],
}


def test_each_program_needs_at_most_three_requests_of_documented_endpoints(samples):
    documented = Client(samples.url).json("/openapi.json")["paths"]
    for program, result in PROGRAMS.items():
        api = Client(samples.url)

        assert program(api) == result, program.__name__
        assert 1 <= len(api.paths) <= 3, (program.__name__, api.paths)
        assert {route(path) for path in api.paths} <= documented.keys(), (program.__name__, api.paths)
