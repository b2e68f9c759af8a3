// A stylesheet that never ends would hide the page for as long.
setTimeout(() => {
  document.querySelectorAll("link[rel=stylesheet]").forEach((link) => link.sheet || link.remove());
}, 10_000);

// What this device remembers limits the menu of a link: the page of both is requested while the stylesheets load.
const device = { own: {}, stars: [], chosen: new URLSearchParams(location.search) };
{
  const { chosen } = device;
  const isNamed = (...names) => names.some((name) => chosen.get(name));
  try {
    device.own = JSON.parse(localStorage.getItem("campus:menus")) ?? {};
    device.stars = [JSON.parse(localStorage.getItem("campus:favourites")) ?? []].flat();
  } catch {
    // The storage is blocked, or somebody has edited it.
  }
  const { location: hall, label = [], without = [] } = device.own;
  if (hall && !isNamed("date", "meal", "location")) {
    chosen.set("location", hall);
  }
  if (String(label) && String(label) !== String(chosen.getAll("label"))) {
    chosen.delete("label");
    [label].flat().forEach((text) => chosen.append("label", text));
  }
  [without].flat().filter((word) => !chosen.getAll("without").includes(word)).forEach((word) => chosen.append("without", word));
  device.isOfMenus = !location.hash && !isNamed("q", "id", "open") && (chosen.get("view") ?? "menus") === "menus";
  if (device.isOfMenus && String(chosen) !== String(new URLSearchParams(location.search))) {
    // Without it, the script limits the menu.
    device.page = fetch(`?${chosen}`).then((response) => (response.ok ? response.text() : ""), () => "");
  }
}
