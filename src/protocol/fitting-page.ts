/** Characters of JSON. An answer is put into words and checked in one go, and what strangers stored may be long. */
export const MOST_ON_PAGE = 1024 * 1024

interface Page<Row, Told> {
  page: Told[]
  /** The last row of the page, where others come after it. */
  end: Row | undefined
}

/** The first so many rows as they are told, and no more than fit onto a page; the first always does. */
export function fittingPage<Row, Told>(rows: readonly Row[], size: number, tell: (row: Row) => Told): Page<Row, Told> {
  const page: Told[] = []
  let left = MOST_ON_PAGE
  for (const row of rows.slice(0, size)) {
    const shown = tell(row)
    left -= JSON.stringify(shown).length
    if (left < 0 && page.length > 0) break
    page.push(shown)
  }
  return { page, end: rows.length > page.length ? rows[page.length - 1] : undefined }
}
