import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectList, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectMissingOrInvalid } from '../core/input-faults.ts'
import { readPage, readPages } from '../core/pages.ts'
import {
  idsOf,
  indexedBusiness,
  needs,
  newWord,
  searchBusinesses,
  searchServices,
  serviceOf,
} from './listed-business.ts'
import { INVALID_CIRCLES, northOf, SERVICE_CENTER } from './places.ts'

export const serviceSearchChecks = [
  check(
    'REG-055 REG-061 REG-067 LIV-085',
    'A search for services returns the same complete hits over both bindings',
    async (c) => {
      const { word, profile } = await indexedBusiness(c, (category) => [serviceOf('one', category)])
      const result = (await c.anonymous.call('searchServices', { categories: [word] })).success()
      const [hit] = expectList(result.services, 'services')
      c.schemas.expectValid('registry#ServiceSearchResult', hit, 'the hit')
      const { business, category_ids, timezone, last_indexed_at } = expectMembers(hit, 'the hit')
      expectEqual(category_ids, [word], 'category_ids')
      expectEqual(timezone, 'Europe/Vienna', 'timezone')
      expectInstant(last_indexed_at, 'last_indexed_at')
      const [registration] = await searchBusinesses(c, { categories: [word] })
      const { id, name, deployment_mode } = expectMembers(registration, 'the registration')
      const { id: businessId, ...others } = expectMembers(business, 'business')
      expectEqual(businessId, id, 'business.id')
      expectEqual(others, { profile_url: profile, deployment_mode, name }, 'the other members of business')
      const other = c.binding === 'rest' ? 'mcp' : 'rest'
      if (!c.target.bindings.includes(other)) return
      const answer = await c.anonymous.call('searchServices', { categories: [word] }, { binding: other })
      expectEqual(answer.success().services, result.services, `the hits over ${other}`)
    },
    { needs },
  ),
  check(
    'REG-059 REG-062 REG-043 REG-044 LIV-086',
    'A search finds services by words and by any of their category ids',
    async (c) => {
      const words = { name: newWord(), description: newWord(), group: newWord() }
      const { word } = await indexedBusiness(c, (category) => [
        serviceOf('named', category, { name: `Cut ${words.name}` }),
        serviceOf('described', category, { description: { plain: `With ${words.description}.` } }),
        serviceOf('grouped', category, {
          categories: [
            { taxonomy: 'merchant', id: category, name: words.group, primary: true },
            { taxonomy: 'merchant', id: `${category}-Second`, name: 'Second' },
          ],
        }),
      ])
      const find = async (filter: Members) => idsOf(await searchServices(c, filter))
      expectEqual(await find({ query: words.name }), ['named'], 'the services for a word of the name')
      expectEqual(await find({ query: words.description }), ['described'], 'the services for a word of the description')
      expectEqual(await find({ query: words.group }), ['grouped'], 'the services for a word of the category')
      const both = { categories: [word], query: words.name }
      expectEqual(await find(both), ['named'], 'the services for a category and a word')
      expectEqual(await find({ ...both, verticals: ['group'] }), [], 'the services of another vertical')
      const [grouped] = await searchServices(c, { query: words.group })
      const ids = expectMembers(grouped, 'the hit').category_ids as string[]
      expectEqual(ids.toSorted(), [word, `${word}-Second`].toSorted(), 'category_ids')
      expectEqual(await find({ categories: ['none', `${word}-Second`] }), ['grouped'], 'the services of the second id')
      expectEqual(await find({ categories: [`${word}-second`] }), [], 'the services of the id in lower case')
    },
    { needs },
  ),
  check(
    'REG-065 REG-066 LIV-085',
    'A hit shows the name, value or id of its primary category, or else its type',
    async (c) => {
      const { word } = await indexedBusiness(c, (category) => {
        const primary = { taxonomy: 'merchant', id: category, primary: true }
        return [
          serviceOf('name', category, { categories: [{ ...primary, name: 'Haircuts', value: 'hair' }] }),
          serviceOf('value', category, { categories: [{ ...primary, value: 'hair' }] }),
          serviceOf('id', category, { categories: [primary] }),
          serviceOf('type', category, { categories: undefined }),
        ]
      })
      const hits = await searchServices(c, { query: word })
      const shown = Object.fromEntries(hits.map(({ service_id, category }) => [service_id, category]))
      const expected = { name: 'Haircuts', value: 'hair', id: word, type: 'appointment' }
      expectEqual(shown, expected, 'the categories of the hits')
      const plain = hits.find(({ service_id }) => service_id === 'type')
      expectEqual(plain?.category_ids, [], 'category_ids of the service without categories')
    },
    { needs, once: true },
  ),
  check(
    'REG-041 REG-048 REG-050 REG-051 REG-059',
    'A search by place finds only services inside the circle',
    async (c) => {
      const at = (id: string, km: number, category: string) =>
        serviceOf(id, category, {
          channel: { type: 'at_business_location' },
          locations: [{ id: `loc_${id}`, name: id, address: 'Pier 1', coordinates: northOf(SERVICE_CENTER, km) }],
        })
      const { word } = await indexedBusiness(
        c,
        (category) => [at('near', 9.9, category), at('far', 10.1, category), serviceOf('virtual', category)],
        { location: { address: 'Pier 1' } },
      )
      const location = { coordinates: SERVICE_CENTER, radius_km: 10 }
      const find = async (filter: Members) => idsOf(await searchServices(c, filter))
      expectEqual(await find({ location, categories: [word] }), ['near'], 'the services nearby')
      expectEqual(
        (await find({ location })).includes('near'),
        true,
        'the presence of the service in a search by place alone',
      )
    },
    { needs, once: true },
  ),
  check(
    'REG-053 LIV-094',
    'Following the cursors returns each found service once, in the order of the whole list',
    async (c) => {
      const { word } = await indexedBusiness(c, (category) => ['a', 'b', 'c', 'd'].map((id) => serviceOf(id, category)))
      const filter = { categories: [word] }
      const order = (services: Members[] = []) => services.map(({ service_id }) => service_id)
      const whole = await searchServices(c, filter)
      const pages = (await readPages(c.anonymous, 'searchServices', filter, 3)).map(({ items }) => items)
      expectEqual(order(pages.flat()), order(whole), 'the services of all pages')
      const first = await readPage(c.anonymous, 'searchServices', filter, { limit: 3, cursor: null })
      expectEqual(order(first.items), order(pages[0]), 'the first page with the cursor null')
    },
    { needs },
  ),
  check(
    'REG-060',
    'A search for services without a match gives an empty list',
    async (c) => {
      const { services, pagination } = (await c.anonymous.call('searchServices', { categories: [newWord()] })).success()
      expectEqual(services, [], 'services')
      expectEqual(expectMembers(pagination, 'pagination').has_more, false, 'has_more')
    },
    { needs },
  ),
  check(
    'LIV-011 REG-054 REG-049',
    'The registry refuses a search for services without a filter, or with an invalid filter',
    async (c) => {
      for (const input of [
        {},
        { pagination: { limit: 5 }, context: { currency: 'EUR' } },
        { desired_service_time_ranges: [{ at: '2030-01-01T10:00:00Z' }] },
        { prefer_sooner_availability_slots: false },
        { query: 'conformance', pagination: { limit: 0 } },
      ])
        (await c.anonymous.call('searchServices', input)).failsWith('validation_error')
      for (const location of INVALID_CIRCLES)
        expectMissingOrInvalid(await c.anonymous.call('searchServices', { location }), JSON.stringify(location))
    },
    { needs },
  ),
]
