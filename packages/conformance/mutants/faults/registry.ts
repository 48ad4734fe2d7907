import type { Members } from '../../caller/answer.ts'
import { codeOf, fromMemory, isNotFound, success, withItems, withMember } from '../answers.ts'
import type { Fault } from '../fault.ts'

const only = ['REG']
const EARTH_KM = 6371
const KM_PER_MILE = 1.609

/** The distance between two points on the earth, in kilometers. */
function distance(a: Members, b: Members): number {
  const [lat1 = 0, lng1 = 0, lat2 = 0, lng2 = 0] = [a.lat, a.lng, b.lat, b.lng].map((x) => (Number(x) * Math.PI) / 180)
  const half = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lng2 - lng1) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.sqrt(half))
}

const onlyBusinesses = (result: Members, isFound: (business: Members) => boolean) =>
  withItems(result, 'businesses', (businesses) => businesses.filter(isFound))

export const registryFaults: Fault[] = [
  {
    name: 'The radius in a search for businesses is in miles',
    only,
    operations: ['searchBusinesses'],
    result: (result, { input }) => {
      const { coordinates, radius_km } = (input.location ?? {}) as Members
      if (!coordinates || typeof radius_km !== 'number') return undefined
      const isNear = (entry: Members) => {
        const place = ((entry.location ?? {}) as Members).coordinates as Members | undefined
        return place !== undefined && distance(coordinates as Members, place) <= radius_km / KM_PER_MILE
      }
      return onlyBusinesses(result, isNear)
    },
  },
  {
    name: 'A search for businesses finds only those with all its verticals',
    only,
    operations: ['searchBusinesses'],
    result: (result, { input: { verticals } }) =>
      Array.isArray(verticals)
        ? onlyBusinesses(result, (entry) =>
            verticals.every((vertical) => (entry.verticals as unknown[]).includes(vertical)),
          )
        : undefined,
  },
  {
    name: 'An update of a registration changes created_at',
    only,
    operations: ['updateRegistration'],
    result: (result) =>
      withMember(result, 'registration', (entry) => ({ ...entry, created_at: new Date().toISOString() })),
  },
  {
    name: 'A deleted registration can still be read',
    only,
    operations: ['getRegistration', 'register'],
    ...fromMemory('registration', 'id'),
  },
  {
    name: 'A limit of zero in a registry search gives an empty page',
    only: ['REG', 'PAG', 'LIV'],
    operations: ['searchBusinesses', 'searchServices'],
    answer: (answer, call) => {
      const { limit } = (call.input.pagination ?? {}) as Members
      const list = call.operation === 'searchServices' ? 'services' : 'businesses'
      return limit === 0 && codeOf(answer, call) === 'validation_error'
        ? success(answer, call, { [list]: [], pagination: { cursor: null, has_more: false } })
        : undefined
    },
  },
  {
    name: 'A search with a price range finds no free services',
    only,
    operations: ['searchServices'],
    result: (result, { input: { price_range } }) =>
      price_range === undefined
        ? undefined
        : withItems(result, 'services', (services) =>
            services.filter(({ pricing }) => (pricing as Members).model !== 'free'),
          ),
  },
  {
    name: 'A search for services returns its hits in reverse order',
    only,
    operations: ['searchServices'],
    result: (result) => withItems(result, 'services', (services) => services.toReversed()),
  },
  {
    name: 'An update of the registration of another platform seems to succeed',
    only: ['REG', 'AUT'],
    operations: ['updateRegistration'],
    answer: (answer, call) =>
      isNotFound(answer, call)
        ? success(answer, call, { registration: { ...call.input, status: 'active' } })
        : undefined,
  },
  {
    name: 'A search for businesses shows the timezone as a UTC offset',
    only,
    operations: ['searchBusinesses'],
    result: (result) =>
      withItems(result, 'businesses', (all) => all.map((entry) => ({ ...entry, timezone: '-05:00' }))),
  },
]
