export type SortKey = [start: number, end: number, rest: string]

/**
 * The key by which the server sorts available times. The key depends only on the time itself. Therefore a cursor (the
 * position of the next page) can contain the key of the last listed time.
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
