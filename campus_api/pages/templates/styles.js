// A stylesheet that never ends would hide the page for as long.
setTimeout(() => {
  document.querySelectorAll("link[rel=stylesheet]").forEach((link) => link.sheet || link.remove());
}, 10_000);
