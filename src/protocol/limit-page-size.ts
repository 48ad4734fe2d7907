/**
 * The most characters of JSON in one page of a list. The server needs this limit because strangers can store long
 * texts. It serializes and validates a whole answer in one step.
 */
export const MOST_PAGE_CHARACTERS = 1024 * 1024

interface Page<Row, Result> {
  page: Result[]
  /** The last row of the page, or undefined if no more rows follow. The next page starts after this row. */
  end: Row | undefined
}

/** Converts at most `size` rows, and stops before the page exceeds the limit. The page always has the first row. */
export function fittingPage<Row, Result>(
  rows: readonly Row[],
  size: number,
  convert: (row: Row) => Result,
): Page<Row, Result> {
  const page: Result[] = []
  let left = MOST_PAGE_CHARACTERS
  for (const row of rows.slice(0, size)) {
    const shown = convert(row)
    left -= JSON.stringify(shown).length
    if (left < 0 && page.length > 0) break
    page.push(shown)
  }
  return { page, end: rows.length > page.length ? rows[page.length - 1] : undefined }
}
