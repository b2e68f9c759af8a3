import { fetchJson, unlessFailed } from "./api.js";
import { linkedParams } from "./menu-day.js";

/**
 * Return the words of allergens for the texts of a link or of an old choice, such as "Dairy".
 *
 * The service alone knows spellings; a text of which it knows none stays.
 */
export async function wordsOf(texts, { words, others }, signal) {
  const isWord = (text) => [...words, ...others].includes(text);
  const each = await Promise.all(texts.map((text) => (isWord(text) ? [text] : lookUp(text, signal))));
  return [...new Set(each.flat())];
}

async function lookUp(text, signal) {
  const { headers } = await unlessFailed(fetchJson(`dining/dishes?${new URLSearchParams({ without: text })}`, signal));
  return linkedParams(headers).canonical?.getAll("without") ?? [text];
}
