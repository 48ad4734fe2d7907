import { type RawBuilder, sql } from 'kysely'
import type { RegistrySearchLocation } from '../../../protocol/types.generated.ts'

/**
 * The circle on the map that a search covers. A radius of half the circumference of the Earth covers the whole world.
 */
export interface SearchCircle {
  lat: number
  lng: number
  metres: number
}

interface Box {
  west: number
  south: number
  east: number
  north: number
}

const EARTH_RADIUS = 6_371_000
const HALF_WAY_ROUND = Math.PI * EARTH_RADIUS

export const searchCircleOf = ({ coordinates, radius_km }: RegistrySearchLocation = {}): SearchCircle | undefined =>
  coordinates && { ...coordinates, metres: Math.min((radius_km ?? Number.POSITIVE_INFINITY) * 1000, HALF_WAY_ROUND) }

export const isWholeWorld = ({ metres }: SearchCircle): boolean => metres >= HALF_WAY_ROUND

export const isLocal = (circle: SearchCircle | undefined): circle is SearchCircle =>
  circle !== undefined && !isWholeWorld(circle)

/**
 * Returns the boxes of longitude and latitude that cover the circle of a search. The result has two boxes if the circle
 * crosses the 180th meridian, and otherwise one box.
 */
export function boxesAround({ lat, lng, metres }: SearchCircle): Box[] {
  // The search compares distances in whole meters, so each box is one meter larger than the circle.
  const angle = (metres + 1) / EARTH_RADIUS
  const [south, north] = [lat - degrees(angle), lat + degrees(angle)]
  const reachesPole = south <= -90 || north >= 90
  const across = reachesPole ? 180 : degrees(Math.asin(Math.sin(angle) / Math.cos(radians(lat))))
  const [west, east] = [lng - across, lng + across]
  if (across >= 180) return [{ west: -180, south, east: 180, north }]
  if (west < -180)
    return [
      { west: -180, south, east, north },
      { west: west + 360, south, east: 180, north },
    ]
  if (east > 180)
    return [
      { west, south, east: 180, north },
      { west: -180, south, east: east - 360, north },
    ]
  return [{ west, south, east, north }]
}

const degrees = (angle: number) => (angle * 180) / Math.PI
const radians = (angle: number) => (angle * Math.PI) / 180

/**
 * Makes one SQL condition for each box around the circle. The condition is true for points or areas that may lie in the
 * circle. PostgreSQL can use an index for the condition.
 */
export const mayLieIn = (
  circle: SearchCircle,
  column: RawBuilder<unknown>,
  operator: '<@' | '&&',
): RawBuilder<boolean>[] =>
  boxesAround(circle).map(
    ({ west, south, east, north }) =>
      sql`${column} ${sql.raw(operator)} box(point(${west}, ${south}), point(${east}, ${north}))`,
  )
