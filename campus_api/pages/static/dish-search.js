import { fold } from "./text.js";

/** Return a function that tells whether the name of a dish contains all words of a text, in any order. */
export function dishMatcher(text) {
  const words = fold(text).split(/\s+/);
  return ({ name }) => words.every((word) => fold(name ?? "").includes(word));
}
