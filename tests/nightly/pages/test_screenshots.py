"""The images of README.md."""

from docs.screenshots import IMAGES, take_screenshots


def test_each_image_of_the_readme_is_a_small_screenshot(samples, visit, tmp_path):
    take_screenshots(visit, samples.url, tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in IMAGES.iterdir())
    assert [path for path in [*tmp_path.iterdir(), *IMAGES.iterdir()] if path.stat().st_size > 200_000] == []
