/**
 * Maximum number of JSON characters on one page of a list. Unknown callers can store long texts, and the server
 * converts a whole page to JSON at once.
 */
export const MOST_PAGE_CHARACTERS = 1024 * 1024

interface Page<Row, Result> {
  page: Result[]
  /** The last row of this page. The next page starts after this row. Undefined if this is the last page. */
  end: Row | undefined
}

/**
 * Converts at most `size` rows for one page of a list, and stops before the page exceeds its size limit. Each page
 * contains at least one row.
 */
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
