import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { readAll, readPage } from './pages.ts'
import { amountOf, categoriesOf, firstOf, idsOf, locationIdsOf, pricingOf, primaryCategoryOf } from './service-facts.ts'

/** Returns the sorted ids of the services that match the filters. */
async function found({ anonymous }: CheckContext, filters: Members, input: Members = {}): Promise<unknown[]> {
  return sortedIds(await readAll(anonymous, 'listServices', { filters, ...input }))
}

async function expectOfType(c: CheckContext, type: string): Promise<void> {
  const expected = c.services.filter((service) => service.type === type)
  expectEqual(await found(c, { type }), sortedIds(expected), `the services of the type ${type}`)
}

const sortedIds = (services: Members[]) => idsOf(services).toSorted()
const typesOf = ({ services }: CheckContext) => [...new Set(services.map(({ type }) => String(type)))]
const categoryIdsOf = ({ services }: CheckContext) => [
  ...new Set(services.map((service) => primaryCategoryOf(service)?.id).filter((id) => typeof id === 'string')),
]

export const catalogueFilterChecks = [
  check('CAT-023', 'The filter `type` returns the services of this type', async (c) => {
    for (const type of typesOf(c).slice(0, 3)) await expectOfType(c, type)
  }),
  check('CAT-024', 'The filter `type` accepts a custom type of the business', async (c) => {
    const type = firstOf(
      typesOf(c).filter((name) => name.includes('.')),
      'service of a custom type',
    )
    await expectOfType(c, type)
  }),
  check('CAT-025 CAT-088', 'The filter `category_id` returns the services with this primary category', async (c) => {
    firstOf(categoryIdsOf(c), 'category with an id')
    for (const category_id of categoryIdsOf(c).slice(0, 3)) {
      const ids = await found(c, { category_id })
      for (const service of c.services) {
        const isPrimary = primaryCategoryOf(service)?.id === category_id
        const isAny = categoriesOf(service).some(({ id }) => id === category_id)
        if (isPrimary || !isAny)
          expectEqual(
            ids.includes(service.id),
            isPrimary,
            `the presence of ${service.id} among the services of category ${category_id}`,
          )
      }
    }
  }),
  check(
    'CAT-089 CAT-090',
    'If no category has the mark `primary`, the only merchant entry is primary, or else the first entry',
    async (c) => {
      const unmarked = c.services.filter((service) => categoriesOf(service).every(({ primary }) => primary !== true))
      const several = unmarked.filter((service) => categoriesOf(service).length > 1)
      const service = firstOf(several, 'service with several categories but without a primary mark')
      const primary = primaryCategoryOf(service)
      if (typeof primary?.id !== 'string') throw new Skip('The primary category has no id.')
      const ids = await found(c, { category_id: primary.id })
      expectTrue(ids.includes(service.id), `${service.id} in its primary category`, ids)
    },
  ),
  check(
    'CAT-027 CAT-028',
    'The filter `categories` returns the services of any of its categories, and overrides `category_id`',
    async (c) => {
      const [first, second, other] = categoryIdsOf(c)
      if (second === undefined) throw new Skip('The catalogue has fewer than two categories with ids.')
      const [one, two] = [await found(c, { categories: [first] }), await found(c, { categories: [second] })]
      const either = [...new Set([...one, ...two])].toSorted()
      expectEqual(await found(c, { categories: [first, second] }), either, 'the services of the two categories')
      const both = { category_id: other ?? first, categories: [second] }
      expectEqual(await found(c, both), two, 'the services of `categories` beside another `category_id`')
    },
  ),
  check('CAT-029', 'The filter `location_id` returns the services at this location', async (c) => {
    const locations = [...new Set(c.services.flatMap(locationIdsOf))]
    firstOf(locations, 'service with a location')
    for (const location_id of locations.slice(0, 2)) {
      const expected = sortedIds(c.services.filter((service) => locationIdsOf(service).includes(location_id)))
      expectEqual(await found(c, { location_id }), expected, `the services at ${location_id}`)
    }
  }),
  check('CAT-030', 'Both bounds of the price filter are inclusive', async (c) => {
    const { currency } = c.target.business
    const fixed = c.services.filter((service) => {
      const pricing = pricingOf(service)
      return pricing.model === 'fixed' && pricing.currency === currency
    })
    const service = firstOf(fixed, 'service with a fixed price in the currency of the business')
    const amount = amountOf(pricingOf(service).amount) ?? 0
    const bounds = [
      [{ min: amount, max: amount }, true],
      [{ min: amount }, true],
      [{ max: amount }, true],
      [{ min: amount + 1 }, false],
      [{ max: amount - 1 }, false],
    ] as const
    for (const [price, isIncluded] of bounds)
      expectEqual(
        (await found(c, { price })).includes(service.id),
        isIncluded,
        `the presence of ${service.id} among the services for ${JSON.stringify(price)}`,
      )
  }),
  check(
    'CAT-031 CAT-032 CAT-034',
    'Price bounds are in the currency of the context, and the server never converts prices',
    async (c) => {
      const { currency } = c.target.business
      const other = currency === 'EUR' ? 'USD' : 'EUR'
      const price = { min: 1, max: 100_000_000 }
      const inDefault = await found(c, { price })
      firstOf(inDefault, 'service with a price')
      expectEqual(await found(c, { price }, { context: { currency } }), inDefault, `the services in ${currency}`)
      const inOther = await readAll(c.anonymous, 'listServices', { filters: { price }, context: { currency: other } })
      for (const service of inOther) expectEqual(pricingOf(service).currency, other, `the currency of ${service.id}`)
      const { items } = await readPage(c.anonymous, 'listServices', { context: { currency: other } }, {})
      for (const service of items) {
        const listed = c.services.find(({ id }) => id === service.id)
        if (listed) expectEqual(service.pricing, listed.pricing, `the price of ${service.id} for a buyer with ${other}`)
      }
    },
  ),
  check(
    'CAT-033',
    'The price filter treats a free service as 0, and matches a price range that overlaps its bounds',
    async (c) => {
      const { currency } = c.target.business
      const own = c.services.filter((service) => pricingOf(service).currency === currency)
      const free = firstOf(
        own.filter((service) => pricingOf(service).model === 'free'),
        'free service',
      )
      expectTrue(
        (await found(c, { price: { max: 0 } })).includes(free.id),
        `${free.id} among the free services`,
        'none',
      )
      expectEqual(
        (await found(c, { price: { min: 1 } })).includes(free.id),
        false,
        `the presence of ${free.id} among the services from a price of 1`,
      )
      for (const service of own) {
        const range = pricingOf(service).price_range as Members | undefined
        const [min, max] = [amountOf(range?.min), amountOf(range?.max)]
        if (min === undefined || max === undefined) continue
        const isAtEdge = (await found(c, { price: { min: max, max: max + 1 } })).includes(service.id)
        expectEqual(isAtEdge, true, `the presence of ${service.id} among the services at its maximum price`)
        const isAbove = (await found(c, { price: { min: max + 1 } })).includes(service.id)
        expectEqual(isAbove, false, `the presence of ${service.id} among the services above its maximum price`)
        return
      }
    },
  ),
  check('CAT-035', 'The list contains only services that match all filters', async (c) => {
    const { services } = c
    const types = typesOf(c)
    for (const category_id of categoryIdsOf(c)) {
      const inCategory = services.filter((service) => categoriesOf(service).some(({ id }) => id === category_id))
      const type = types.find((name) => inCategory.every((service) => service.type !== name))
      if (type === undefined) continue
      expectEqual(await found(c, { category_id, type }), [], `the services of ${category_id} with type ${type}`)
      const own = inCategory[0]
      const ids = await found(c, { category_id, type: own?.type })
      expectTrue(ids.includes(own?.id), `${own?.id} among the services that match both filters`, ids)
      return
    }
    throw new Skip('Each category has services of each type.')
  }),
  check('CAT-036', 'The server ignores an unknown filter', async (c) => {
    expectEqual(
      await found(c, { conformance_color: 'red' }),
      sortedIds(c.services),
      'the services with an unknown filter',
    )
  }),
  check('CAT-037', 'Filters that match nothing give an empty list, not an error', async ({ anonymous }) => {
    const none = 'conformance_none'
    for (const filters of [{ type: `com.example.${none}` }, { category_id: none }, { location_id: none }]) {
      const answer = await anonymous.call('listServices', { filters })
      expectEqual(answer.success().services, [], `the services for ${JSON.stringify(filters)}`)
    }
  }),
]
