/** Remove letter case and accents, as the API does. */
export function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
}
