export type SortKey = [start: number, end: number, rest: string]

/**
 * The sort key of an available time. The server derives it only from the time itself, so a page cursor can contain the
 * key.
 */
export const sortKeyOf = ({
  start,
  end,
  location = '',
  picks,
}: {
  start: number
  end: number
  location: string | undefined
  picks: readonly string[]
}): SortKey => [start, end, [location, ...picks].join('~')]

export const compareSortKeys = (one: SortKey, other: SortKey): number =>
  one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : Number(one[2] > other[2]))
