import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { amountOf, firstOf, locationIdsOf, optionsOf, policiesOf, resourcesOf } from './service-facts.ts'
import { brokenRules, membersIn } from './service-rules.ts'

const REQUIRED = ['id', 'business_id', 'name', 'type', 'duration', 'pricing', 'channel', 'policies']
const MONEY = ['amount', 'min', 'max', 'late_cancellation_fee', 'fee']
const COUNTS = ['max_reschedules', 'fee_percentage', 'late_cancellation_fee_percentage', 'slot_count', 'count']
const MAX_LOOKUP = 20

interface Rendering {
  operation: string
  service: Members
}

/** The services as list, get, lookup and feed deliver them. */
async function renderings({ anonymous, services }: CheckContext): Promise<Rendering[]> {
  const ids = services.slice(0, MAX_LOOKUP).map(({ id }) => id)
  const listed = (await anonymous.call('listServices')).success().services
  const looked = (await anonymous.call('lookupServices', { ids })).success().services
  const single = (await anonymous.call('getService', { service_id: ids[0] })).success().service
  const items = expectList((await anonymous.call('readFeed')).success().items, 'items')
  const fed = items.filter(({ state }) => state === 'updated').map(({ data }) => data)
  const of = (operation: string, value: unknown) =>
    expectList(value, `the services of ${operation}`).map((service) => ({ operation, service }))
  return [...of('list', listed), ...of('lookup', looked), ...of('get', [single]), ...of('feed', fed)]
}

const only = { only: 'rest' } as const

export const catalogueServiceChecks = [
  check(
    'CAT-065 CAT-066 CAT-071 CAT-072 LIV-045',
    'Each operation delivers complete services that meet the rules of payment, price and duration',
    async (c) => {
      for (const { operation, service } of await renderings(c)) {
        const missing = REQUIRED.filter((member) => !(member in service))
        expectEqual(missing, [], `the missing members of ${service.id} in ${operation}`)
        c.schemas.expectValid('catalog#Service', service, `${service.id} in ${operation}`)
        expectEqual(brokenRules(service), [], `the broken rules of ${service.id} in ${operation}`)
        const { status = 'active' } = service
        expectTrue(['active', 'suspended', 'archived'].includes(String(status)), 'a known status', status)
      }
    },
  ),
  check('CAT-068 CAT-070', 'Each service has the id of the business and an id of its own', async (c) => {
    const all = await renderings(c)
    expectEqual([...new Set(all.map(({ service }) => service.business_id))].length, 1, 'the number of business ids')
    const ids = c.services.map(({ id }) => id)
    expectEqual(new Set(ids).size, ids.length, 'the number of different service ids')
    const named = new Map(c.services.map(({ id, name }) => [id, name]))
    for (const { operation, service } of all)
      expectEqual(service.name, named.get(service.id), `the name of ${service.id} in ${operation}`)
  }),
  check(
    'CAT-063',
    'Each answer of the catalogue states the version of the protocol',
    async ({ anonymous, services }) => {
      const [id] = services.map((service) => service.id)
      const answers = [
        await anonymous.call('listServices'),
        await anonymous.call('getService', { service_id: id }),
        await anonymous.call('lookupServices', { ids: [id] }),
        await anonymous.call('readFeed', { limit: 1 }),
      ]
      for (const answer of answers) expectEqual(asMembers(answer.success().usp)?.version, '2026-08-20', 'usp.version')
    },
  ),
  check(
    'LIV-036 LIV-037',
    'A late fee in percent is an integer up to 100, and no fee stands beside it',
    async ({ services }) => {
      firstOf(services, 'service')
      for (const service of services) {
        const cancellation = asMembers(policiesOf(service).cancellation) ?? {}
        const { late_cancellation_fee: fee, late_cancellation_fee_percentage: percentage } = cancellation
        expectTrue(fee === undefined || percentage === undefined, `one late fee of ${service.id}`, cancellation)
        expectTrue(fee === undefined || amountOf(fee) !== undefined, `an amount as fee of ${service.id}`, fee)
        const isPercentage = Number.isInteger(percentage) && Number(percentage) >= 0 && Number(percentage) <= 100
        expectTrue(percentage === undefined || isPercentage, `a percentage of ${service.id}`, percentage)
      }
    },
    only,
  ),
  check(
    'LIV-050',
    'The server writes all money in one form, as integers or as strings of digits',
    async ({ services }) => {
      const money = services.flatMap((service) => [...membersIn(service)]).filter(({ name }) => MONEY.includes(name))
      const amounts = money.filter(({ path }) => !/\.(duration|capacity)\./.test(path))
      firstOf(amounts, 'service with an amount of money')
      for (const { path, value } of amounts)
        expectTrue(Number.isInteger(amountOf(value)), `an integer in minor units at ${path}`, value)
      expectEqual(new Set(amounts.map(({ value }) => typeof value)).size, 1, 'the number of forms of money')
    },
    only,
  ),
  check(
    'LIV-051 LIV-054',
    'Counts are numbers, and times have an offset, in the catalogue and its feed',
    async ({ anonymous, services }) => {
      const feed = (await anonymous.call('readFeed')).success()
      for (const { name, path, value } of membersIn([services, feed])) {
        if (COUNTS.includes(name) || name === 'total_services' || /\.capacity\.(min|max)$/.test(path))
          expectTrue(typeof value === 'number', `a number at ${path}`, value)
        if (name.endsWith('_at') || name === 'valid_until') expectInstant(value, path)
      }
    },
    only,
  ),
  check(
    'CAT-080',
    'Translations are texts by language',
    async ({ services }) => {
      const translated = services.filter(({ localized }) => localized !== undefined)
      firstOf(translated, 'service with translations')
      const members = ['name', 'description', 'category_name', 'channel_instructions']
      for (const { id, localized } of translated)
        for (const member of members)
          for (const [tag, text] of Object.entries(asMembers(asMembers(localized)?.[member]) ?? {})) {
            expectTrue(isLanguageTag(tag), `a BCP 47 tag in localized.${member} of ${id}`, tag)
            expectTrue(typeof text === 'string', `a text for ${tag} in localized.${member} of ${id}`, text)
          }
    },
    only,
  ),
  check(
    'CAT-079',
    'Each option of a selectable resource can be asked for in an availability query',
    async ({ anonymous, services }) => {
      const selectable = services.flatMap((service) =>
        resourcesOf(service)
          .filter((requirement) => requirement.selectable === true)
          .flatMap((requirement) => optionsOf(requirement).map(({ id }) => ({ service, id }))),
      )
      const { service, id } = firstOf(selectable, 'service with a selectable resource')
      const [today, inAWeek] = [2, 8].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10))
      const input = { service_id: service.id, resource_id: id, start_date: today, end_date: inAWeek }
      const slots = expectList((await anonymous.call('queryAvailability', input)).success().slots, 'slots')
      for (const slot of slots) {
        const ids = expectList(slot.resources, 'the resources of a slot').map((resource) => resource.id)
        expectTrue(ids.includes(id), `the resource ${id} in a slot`, ids)
      }
      expectTrue(slots.length > 0, `a slot with the resource ${id} in the next week`, 'no slot')
    },
    only,
  ),
  check(
    'CAT-074 CAT-076 CAT-098',
    'Services name the provider, their media, and locations of the profile',
    async ({ services, target }) => {
      const places = Array.isArray(target.business.locations)
        ? target.business.locations.map((one) => asMembers(one)?.id)
        : []
      for (const service of services) {
        const provider = expectMembers(service.provider, `provider of ${service.id}`)
        expectEqual(provider.name, target.business.name, `the name of the provider of ${service.id}`)
        expectTrue(
          service.images === undefined || service.media !== undefined,
          `media beside images of ${service.id}`,
          'none',
        )
        const unknown = places.length > 1 ? locationIdsOf(service).filter((id) => !places.includes(id)) : []
        expectEqual(unknown, [], `the locations of ${service.id} that the profile lacks`)
      }
    },
    only,
  ),
  check(
    'CAT-092',
    'Answers to GET requests of the catalogue may be cached',
    async ({ anonymous, services }) => {
      for (const path of [`/services/${services[0]?.id}`, '/services/feed?limit=1']) {
        const { headers } = await anonymous.request('GET', path)
        const control = headers['cache-control'] ?? ''
        expectTrue(/max-age=[1-9]/.test(control) && !/no-store|private/.test(control), `a cacheable ${path}`, control)
      }
    },
    only,
  ),
]

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
