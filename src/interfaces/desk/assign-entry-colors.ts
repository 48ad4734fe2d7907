/**
 * The number of colors for the entries of the day view. `browser/calendar.css` has one CSS class for each color:
 * `hue0`, `hue1` and so on.
 */
const HUES = 8

/**
 * Returns a function that finds the color of a service or person, as the number of a CSS class. Neighbors in the
 * business definition get different colors.
 */
export function huesOf(all: readonly { id: string }[] = []): (id: string) => number {
  const places = new Map(all.map(({ id }, place) => [id, place % HUES]))
  return (id) => places.get(id) ?? 0
}
