import type { Members } from '../../caller/answer.ts'
import type { Fault } from '../fault.ts'
import { codeOf, isNotFound, listOf, success } from './error-answers.ts'

const only = ['REG']
const EARTH_KM = 6371
const KM_PER_MILE = 1.609

/** The distance of two points in kilometers. */
function distance(a: Members, b: Members): number {
  const [lat1 = 0, lng1 = 0, lat2 = 0, lng2 = 0] = [a.lat, a.lng, b.lat, b.lng].map((x) => (Number(x) * Math.PI) / 180)
  const half = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lng2 - lng1) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.sqrt(half))
}

const registrationOf = (result: Members) => result.registration as Members

export const registryFaults: Fault[] = [
  {
    name: 'The radius of a business search is in miles',
    only,
    operations: ['searchBusinesses'],
    result: (result, { input }) => {
      const { coordinates, radius_km } = (input.location ?? {}) as Members
      if (!coordinates || typeof radius_km !== 'number') return undefined
      const isNear = (entry: Members) => {
        const place = ((entry.location ?? {}) as Members).coordinates as Members | undefined
        return place !== undefined && distance(coordinates as Members, place) <= radius_km / KM_PER_MILE
      }
      return { ...result, businesses: listOf(result.businesses).filter(isNear) }
    },
  },
  {
    name: 'A business must have all the verticals of a search',
    only,
    operations: ['searchBusinesses'],
    result: (result, { input: { verticals } }) =>
      Array.isArray(verticals)
        ? {
            ...result,
            businesses: listOf(result.businesses).filter((entry) =>
              verticals.every((vertical) => (entry.verticals as unknown[]).includes(vertical)),
            ),
          }
        : undefined,
  },
  {
    name: 'A change of a registration makes it a new one, created now',
    only,
    operations: ['updateRegistration'],
    result: (result) => ({
      ...result,
      registration: { ...registrationOf(result), created_at: new Date().toISOString() },
    }),
  },
  {
    name: 'A deleted registration can still be read',
    only,
    operations: ['getRegistration', 'register'],
    result: (result, _, memory) => {
      memory.set(String(registrationOf(result).id), result)
      return undefined
    },
    answer: (answer, call, memory) => {
      const known = memory.get(String(call.input.id)) as Members | undefined
      return known && isNotFound(answer) ? success(answer, call, known) : undefined
    },
  },
  {
    name: 'A limit of zero in a registry search gives an empty page',
    only: ['REG', 'PAG', 'LIV'],
    operations: ['searchBusinesses', 'searchServices'],
    answer: (answer, call) => {
      const { limit } = (call.input.pagination ?? {}) as Members
      const list = call.operation === 'searchServices' ? 'services' : 'businesses'
      return limit === 0 && codeOf(answer) === 'validation_error'
        ? success(answer, call, { [list]: [], pagination: { cursor: null, has_more: false } })
        : undefined
    },
  },
  {
    name: 'A free service is in no range of prices',
    only,
    operations: ['searchServices'],
    result: (result, { input: { price_range } }) =>
      price_range === undefined
        ? undefined
        : {
            ...result,
            services: listOf(result.services).filter(({ pricing }) => (pricing as Members).model !== 'free'),
          },
  },
  {
    name: 'A search for services shows the latest free time first',
    only,
    operations: ['searchServices'],
    result: (result) => ({ ...result, services: listOf(result.services).toReversed() }),
  },
  {
    name: 'A change of the registration of another business seems to work',
    only: ['REG', 'AUT'],
    operations: ['updateRegistration'],
    answer: (answer, call) =>
      isNotFound(answer) ? success(answer, call, { registration: { ...call.input, status: 'active' } }) : undefined,
  },
  {
    name: 'A search of businesses shows the timezone as an offset',
    only,
    operations: ['searchBusinesses'],
    result: (result) => ({
      ...result,
      businesses: listOf(result.businesses).map((entry) => ({ ...entry, timezone: '-05:00' })),
    }),
  },
]
