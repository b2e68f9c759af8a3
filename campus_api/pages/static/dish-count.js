/** Return the number of different dishes in rows: a dish has a row for each meal and category. */
export function countDishes(rows) {
  return new Set(rows.map(({ recipe }) => recipe)).size;
}

/** Return "1 dish" or "7 dishes". */
export function plural(count) {
  return `${count} ${count === 1 ? "dish" : "dishes"}`;
}
