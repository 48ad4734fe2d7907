import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectMissingOrInvalid } from '../core/input-faults.ts'
import { readPage, readPages } from '../core/pages.ts'
import { hostBusiness, listedBusiness, needs, newWord, register, searchBusinesses } from './listed-business.ts'
import { BUSINESS_CENTER, INVALID_CIRCLES, northOf } from './places.ts'

const idsOf = (businesses: Members[]) => businesses.map(({ id }) => id).toSorted()

export const businessSearchChecks = [
  check(
    'REG-038 REG-041 REG-043 REG-044 REG-045 REG-046 LIV-083 LIV-084',
    'A search finds a business with each kind of filter',
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
    'The registry refuses a search for businesses without a filter',
    async (c) => {
      for (const input of [{}, { pagination: { limit: 5 } }, { context: { currency: 'EUR' }, pagination: {} }])
        (await c.anonymous.call('searchBusinesses', input)).failsWith('validation_error')
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
    'The registry refuses a search for businesses with an invalid filter',
    async (c) => {
      for (const input of [{ deployment_mode: 'mixed' }, { query: 'conformance', pagination: { limit: 0 } }])
        (await c.anonymous.call('searchBusinesses', input)).failsWith('validation_error')
      for (const location of INVALID_CIRCLES)
        expectMissingOrInvalid(await c.anonymous.call('searchBusinesses', { location }), JSON.stringify(location))
    },
    { needs },
  ),
  check(
    'REG-048 REG-050 REG-051 REG-041',
    'A search by place finds only businesses inside the circle',
    async (c) => {
      const word = newWord()
      const list = (changes: Members) => register(c, hostBusiness(c), { categories: [word], ...changes })
      const near = await list({ location: { coordinates: northOf(BUSINESS_CENTER, 9.9) } })
      await list({ location: { coordinates: northOf(BUSINESS_CENTER, 10.1) } })
      const unplaced = await list({})
      const location = { coordinates: BUSINESS_CENTER, radius_km: 10 }
      expectEqual(
        idsOf(await searchBusinesses(c, { location, categories: [word] })),
        [near.id],
        'the businesses nearby',
      )
      const everywhere = idsOf(await searchBusinesses(c, { categories: [word] }))
      expectEqual(everywhere.length, 3, 'the number of businesses without a filter by place')
      expectEqual(everywhere.includes(unplaced.id), true, 'the presence of the business without a position')
      const alone = idsOf(await searchBusinesses(c, { location }))
      expectEqual(alone.includes(near.id), true, 'the presence of the business in a search by place alone')
    },
    { needs },
  ),
  check(
    'REG-053',
    'Following the cursors returns each found business exactly once',
    async (c) => {
      const categories = [newWord()]
      const listed: Members[] = []
      for (let nth = 0; nth < 3; nth++) listed.push(await register(c, hostBusiness(c), { categories }))
      const pages = (await readPages(c.anonymous, 'searchBusinesses', { categories }, 1)).map(({ items }) => items)
      for (const page of pages) expectEqual(page.length, 1, 'the number of businesses on a page with the limit 1')
      expectEqual(idsOf(pages.flat()), idsOf(listed), 'the businesses of all pages')
      const first = await readPage(c.anonymous, 'searchBusinesses', { categories }, { limit: 1, cursor: null })
      expectEqual(idsOf(first.items), idsOf(pages[0] ?? []), 'the first page with the cursor null')
    },
    { needs },
  ),
]
