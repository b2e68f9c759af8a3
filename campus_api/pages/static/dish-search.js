/** Return a function that tells whether the name of a dish contains all words of a text, in any order. */
export function dishMatcher(text) {
  const words = fold(text).split(/\s+/);
  return ({ name }) => words.every((word) => fold(name ?? "").includes(word));
}

/** Remove letter case and accents, as the API does. */
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
}
