/** The number of classes `hue0`, `hue1` … in `browser/calendar.css`. */
const HUES = 8

/**
 * Returns a function that finds the hue of a service or person, as the number of a CSS class. Neighbours in the business
 * definition get different hues.
 */
export function huesOf(all: readonly { id: string }[] = []): (id: string) => number {
  const places = new Map(all.map(({ id }, place) => [id, place % HUES]))
  return (id) => places.get(id) ?? 0
}
