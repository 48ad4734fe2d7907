/**
 * Characters of JSON. The server serializes and validates an answer in one step, and stored text of strangers may be long.
 */
export const MOST_PAGE_CHARACTERS = 1024 * 1024

interface Page<Row, Told> {
  page: Told[]
  /** The last row of the page, when more rows follow. */
  end: Row | undefined
}

/** Converts at most `size` rows, and stops before the page is too large. The first row always fits. */
export function fittingPage<Row, Told>(rows: readonly Row[], size: number, tell: (row: Row) => Told): Page<Row, Told> {
  const page: Told[] = []
  let left = MOST_PAGE_CHARACTERS
  for (const row of rows.slice(0, size)) {
    const shown = tell(row)
    left -= JSON.stringify(shown).length
    if (left < 0 && page.length > 0) break
    page.push(shown)
  }
  return { page, end: rows.length > page.length ? rows[page.length - 1] : undefined }
}
