export type Place = [start: number, end: number, rest: string]

/** Where an offer stands among those of its service, whatever else is offered. */
export const placeOf = ({
  start,
  end,
  location = '',
  picks,
}: {
  start: number
  end: number
  location: string | undefined
  picks: readonly string[]
}): Place => [start, end, [location, ...picks].join('~')]

export const comparePlaces = (one: Place, other: Place): number =>
  one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : Number(one[2] > other[2]))
