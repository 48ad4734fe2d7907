import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { hostBusiness, INVALID, listedBusiness, needs, newWord, register, searchBusinesses } from './listed-business.ts'

/** A place in the Pacific Ocean, where other listings are rare. */
const CENTER = { lat: -45.5, lng: -130.25 }
/** Kilometers for one degree of latitude on a sphere with the mean radius of the earth. */
const KM_PER_DEGREE = 111.195
const north = (km: number) => ({ lat: CENTER.lat + km / KM_PER_DEGREE, lng: CENTER.lng })

export const businessSearchChecks = [
  check(
    'REG-038 REG-041 REG-043 REG-044 REG-045 REG-046 LIV-083 LIV-084',
    'A search finds a business by each of its filters',
    async (c) => {
      const [word, category] = [newWord(), newWord()]
      const { registration } = await listedBusiness(c, {
        name: `Salon ${word}`,
        verticals: ['appointment', word],
        categories: [category, `${word}-B`],
      })
      for (const filter of [
        { verticals: [word] },
        { verticals: ['none', word] },
        { categories: [category] },
        { categories: [`${word}-B`] },
        { categories: ['none', `${word}-B`] },
        { query: word },
        { query: category },
        { query: word, deployment_mode: 'standalone' },
        { query: word, verticals: ['appointment'], categories: [category] },
      ]) {
        const found = await searchBusinesses(c, filter)
        expectEqual(found, [registration], `the businesses for ${JSON.stringify(filter)}`)
      }
      for (const filter of [
        { categories: [`${word}-b`] },
        { categories: [category], verticals: ['group'] },
        { query: word, deployment_mode: 'ucp_native' },
      ])
        expectEqual(await searchBusinesses(c, filter), [], `the businesses for ${JSON.stringify(filter)}`)
    },
    { needs },
  ),
  check(
    'LIV-011',
    'A search for businesses without a filter is refused',
    async (c) => {
      for (const input of [{}, { pagination: { limit: 5 } }, { context: { currency: 'EUR' }, pagination: {} }]) {
        const answer = await c.anonymous.call('searchBusinesses', input)
        answer.failsWith('validation_error', INVALID)
      }
    },
    { needs },
  ),
  check(
    'REG-042',
    'A search for businesses without a match gives an empty list',
    async (c) => {
      const answer = await c.anonymous.call('searchBusinesses', { categories: [newWord()] })
      const { businesses, pagination } = answer.success()
      expectEqual(businesses, [], 'businesses')
      const { cursor, has_more } = expectMembers(pagination, 'pagination')
      expectEqual({ cursor, has_more }, { cursor: null, has_more: false }, 'pagination')
    },
    { needs },
  ),
  check(
    'REG-047 REG-049 REG-054',
    'A search for businesses with an invalid filter is refused',
    async (c) => {
      const isRequestError = async (input: Members) => {
        const { error } = await c.anonymous.call('searchBusinesses', input)
        const isKnown = error?.code === 'validation_error' || error?.code === 'invalid_request'
        expectEqual(isKnown, true, `whether ${JSON.stringify(input)} is refused as a request error`)
      }
      const query = 'conformance'
      for (const input of [{ deployment_mode: 'mixed' }, { query, pagination: { limit: 0 } }])
        (await c.anonymous.call('searchBusinesses', input)).failsWith('validation_error', INVALID)
      await isRequestError({ location: { coordinates: CENTER, radius_km: -1 } })
      await isRequestError({ location: { coordinates: { lat: 1 }, radius_km: 1 } })
    },
    { needs },
  ),
  check(
    'REG-048 REG-050 REG-051 REG-041',
    'A search by place finds the businesses inside the circle, and none without a position',
    async (c) => {
      const word = newWord()
      const list = (changes: Members) => register(c, hostBusiness(c), { categories: [word], ...changes })
      const near = await list({ location: { coordinates: north(9.9) } })
      await list({ location: { coordinates: north(10.1) } })
      const unplaced = await list({})
      const location = { coordinates: CENTER, radius_km: 10 }
      const ids = (found: Members[]) => found.map(({ id }) => id).toSorted()
      expectEqual(ids(await searchBusinesses(c, { location, categories: [word] })), [near.id], 'the businesses nearby')
      const everywhere = ids(await searchBusinesses(c, { categories: [word] }))
      expectEqual(everywhere.length, 3, 'the number of businesses without the filter of the place')
      expectEqual(everywhere.includes(unplaced.id), true, 'whether the business without a position is found')
      const alone = ids(await searchBusinesses(c, { location }))
      expectEqual(alone.includes(near.id), true, 'whether the place alone finds the business')
    },
    { needs },
  ),
  check(
    'REG-053',
    'Cursors lead through each found business exactly once',
    async (c) => {
      const word = newWord()
      const listed = []
      for (let nth = 0; nth < 3; nth++) listed.push(await register(c, hostBusiness(c), { categories: [word] }))
      const found: unknown[] = []
      let cursor: unknown = null
      do {
        const input = { categories: [word], pagination: { limit: 1, cursor } }
        const result = (await c.anonymous.call('searchBusinesses', input)).success()
        const page = expectList(result.businesses, 'businesses')
        expectEqual(page.length, 1, 'the number of businesses on a page with the limit 1')
        found.push(page[0]?.id)
        const { cursor: next, has_more } = expectMembers(result.pagination, 'pagination')
        expectEqual(has_more, next !== null, 'has_more')
        cursor = next
      } while (cursor !== null && found.length <= listed.length)
      expectEqual(found.toSorted(), listed.map(({ id }) => id).toSorted(), 'the businesses of all pages')
    },
    { needs },
  ),
]
