import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { amountOf, firstOf, idsOf, locationIdsOf, selectableIdsOf } from './service-facts.ts'
import { brokenRules, membersIn } from './service-rules.ts'

const REQUIRED = ['id', 'business_id', 'name', 'type', 'duration', 'pricing', 'channel', 'policies']
const MONEY = ['amount', 'min', 'max', 'late_cancellation_fee', 'fee']
const COUNTS = ['max_reschedules', 'fee_percentage', 'late_cancellation_fee_percentage', 'slot_count', 'count']
const MAX_LOOKUP = 20

interface Rendering {
  operation: string
  service: Members
}

/** Returns the services as the operations list, get, lookup and feed show them. */
async function renderings({ anonymous, services }: CheckContext): Promise<Rendering[]> {
  const ids = idsOf(services.slice(0, MAX_LOOKUP))
  const listed = (await anonymous.call('listServices')).success().services
  const looked = (await anonymous.call('lookupServices', { ids })).success().services
  const single = (await anonymous.call('getService', { service_id: ids[0] })).success().service
  const items = expectList((await anonymous.call('readFeed')).success().items, 'items')
  const fed = items.filter(({ state }) => state === 'updated').map(({ data }) => data)
  const of = (operation: string, value: unknown) =>
    expectList(value, `the services of ${operation}`).map((service) => ({ operation, service }))
  return [...of('list', listed), ...of('lookup', looked), ...of('get', [single]), ...of('feed', fed)]
}

const options = { once: true } as const

export const catalogueServiceChecks = [
  check(
    'CAT-065 CAT-066 CAT-071 CAT-072 LIV-045',
    'Each operation returns complete services that follow the rules for payment, price and duration',
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
  check('CAT-068 CAT-070', 'Each service has the id of the business and a unique id', async (c) => {
    const all = await renderings(c)
    expectEqual(new Set(all.map(({ service }) => service.business_id)).size, 1, 'the number of business ids')
    const ids = idsOf(c.services)
    expectEqual(new Set(ids).size, ids.length, 'the number of different service ids')
    const named = new Map(c.services.map(({ id, name }) => [id, name]))
    for (const { operation, service } of all)
      expectEqual(service.name, named.get(service.id), `the name of ${service.id} in ${operation}`)
  }),
  check(
    'CAT-063',
    'Each answer of the catalogue contains the version of the protocol',
    async ({ anonymous, services }) => {
      const [id] = idsOf(services)
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
    'A late fee is an amount or an integer percentage up to 100, but not both',
    async ({ services }) => {
      firstOf(services, 'service')
      for (const service of services) {
        const cancellation = asMembers(policiesOf(service).cancellation) ?? {}
        const { late_cancellation_fee: fee, late_cancellation_fee_percentage: percentage } = cancellation
        expectTrue(
          fee === undefined || percentage === undefined,
          `at most one kind of late fee of ${service.id}`,
          cancellation,
        )
        expectTrue(fee === undefined || amountOf(fee) !== undefined, `an amount as the late fee of ${service.id}`, fee)
        const isPercentage = Number.isInteger(percentage) && Number(percentage) >= 0 && Number(percentage) <= 100
        expectTrue(
          percentage === undefined || isPercentage,
          `an integer percentage as the late fee of ${service.id}`,
          percentage,
        )
      }
    },
    options,
  ),
  check(
    'LIV-050',
    'The server writes all amounts in one form: integers or strings of digits',
    async ({ services }) => {
      const money = services.flatMap((service) => [...membersIn(service)]).filter(({ name }) => MONEY.includes(name))
      const amounts = money.filter(({ path }) => !/\.(duration|capacity)\./.test(path))
      firstOf(amounts, 'service with an amount of money')
      for (const { path, value } of amounts)
        expectTrue(Number.isInteger(amountOf(value)), `an integer in minor units at ${path}`, value)
      expectEqual(new Set(amounts.map(({ value }) => typeof value)).size, 1, 'the number of forms of amounts')
    },
    options,
  ),
  check(
    'LIV-051 LIV-054',
    'In the catalogue and its feed, counts are numbers and times have an offset',
    async ({ anonymous, services }) => {
      const feed = (await anonymous.call('readFeed')).success()
      for (const { name, path, value } of membersIn([services, feed])) {
        if (COUNTS.includes(name) || name === 'total_services' || /\.capacity\.(min|max)$/.test(path))
          expectTrue(typeof value === 'number', `a number at ${path}`, value)
        if (name.endsWith('_at') || name === 'valid_until') expectInstant(value, path)
      }
    },
    options,
  ),
  check(
    'CAT-080',
    'Translations are texts by language tag',
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
    options,
  ),
  check(
    'CAT-079',
    'An availability query accepts each option of a selectable resource',
    async ({ anonymous, services }) => {
      const selectable = services.flatMap((service) => selectableIdsOf(service).map((id) => ({ service, id })))
      const { service, id } = firstOf(selectable, 'service with a selectable resource')
      const input = { service_id: service.id, resource_id: id, start_date: dateIn(2), end_date: dateIn(8) }
      const slots = expectList((await anonymous.call('queryAvailability', input)).success().slots, 'slots')
      for (const slot of slots) {
        const ids = idsOf(expectList(slot.resources, 'the resources of a slot'))
        expectTrue(ids.includes(id), `the resource ${id} in a slot`, ids)
      }
      expectTrue(slots.length > 0, `a slot with the resource ${id} in the next week`, 'no slot')
    },
    options,
  ),
  check(
    'CAT-074 CAT-076 CAT-098',
    'Services name their provider and their media, and only locations of the profile',
    async ({ services, target }) => {
      const places = locationIdsOf(target.business)
      for (const service of services) {
        const provider = expectMembers(service.provider, `provider of ${service.id}`)
        expectEqual(provider.name, target.business.name, `the name of the provider of ${service.id}`)
        expectTrue(
          service.images === undefined || service.media !== undefined,
          `media in addition to images of ${service.id}`,
          'none',
        )
        const unknown = places.length > 1 ? locationIdsOf(service).filter((id) => !places.includes(id)) : []
        expectEqual(unknown, [], `the locations of ${service.id} that the profile lacks`)
      }
    },
    options,
  ),
  check(
    'CAT-092',
    'Caches may store the answers to GET requests of the catalogue',
    async ({ anonymous, services }) => {
      for (const path of [`/services/${services[0]?.id}`, '/services/feed?limit=1']) {
        const { headers } = await anonymous.request('GET', path)
        const control = headers['cache-control'] ?? ''
        expectTrue(/max-age=[1-9]/.test(control) && !/no-store|private/.test(control), `a cacheable ${path}`, control)
      }
    },
    { only: 'rest' },
  ),
]

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
