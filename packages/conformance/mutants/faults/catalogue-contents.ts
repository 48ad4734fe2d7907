import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { codeOf, listOf, success, withItems, withMember } from '../answers.ts'
import type { Fault, SeenCall } from '../fault.ts'

const READS: OperationName[] = ['listServices', 'getService', 'lookupServices']
const list: Pick<Fault, 'only' | 'operations'> = { only: ['CAT'], operations: ['listServices'] }
const feed: Pick<Fault, 'only' | 'operations'> = { only: ['FEED', 'PAG'], operations: ['readFeed'] }

/** Changes the services of a result. The result contains one service, or a list of services. */
function withServices(result: Members, change: (service: Members) => Members): Members {
  if (Array.isArray(result.services)) return withItems(result, 'services', (services) => services.map(change))
  return withMember(result, 'service', change) ?? result
}

const filtersOf = ({ input }: SeenCall) => (input.filters ?? {}) as Members
const onlyServices = (result: Members, isShown: (service: Members) => boolean) =>
  withItems(result, 'services', (services) => services.filter(isShown))

export const catalogueContentFaults: Fault[] = [
  {
    name: 'The list of services has no policies',
    ...list,
    result: (result) => withServices(result, ({ policies, ...others }) => others),
  },
  {
    name: 'A price is in whole units of the currency, not in minor units',
    only: ['CAT', 'DEF'],
    operations: READS,
    result: (result) =>
      withServices(result, (service) => {
        const inUnits = ({ amount, ...pricing }: Members) =>
          typeof amount === 'number' ? { ...pricing, amount: amount / 100 } : undefined
        return withMember(service, 'pricing', inUnits) ?? service
      }),
  },
  {
    name: 'A lookup with a repeated id returns the service twice',
    only: ['CAT'],
    operations: ['lookupServices'],
    result: (result, { input }) => {
      const ids: unknown[] = Array.isArray(input.ids) ? input.ids : []
      return withItems(result, 'services', (services) => ids.flatMap((id) => services.filter((one) => one.id === id)))
    },
  },
  {
    name: 'A lookup has no messages about unknown ids',
    only: ['CAT'],
    operations: ['lookupServices'],
    result: ({ messages, ...others }) => others,
  },
  {
    name: 'A filter by category compares only the primary category',
    ...list,
    result: (result, call) => {
      const wanted = filtersOf(call).category_id
      if (wanted === undefined) return undefined
      return onlyServices(result, ({ categories }) => {
        const all = listOf(categories)
        const primary = all.find((category) => category.primary === true) ?? all[0]
        return primary?.id === wanted || primary?.value === wanted
      })
    },
  },
  {
    name: 'A price filter excludes its minimum',
    ...list,
    result: (result, call) => {
      const { min } = (filtersOf(call).price ?? {}) as Members
      return min === undefined ? undefined : onlyServices(result, ({ pricing }) => (pricing as Members).amount !== min)
    },
  },
  {
    name: 'A search finds only words of the name, not of the description',
    ...list,
    result: (result, { input: { query } }) =>
      typeof query === 'string' && query !== ''
        ? onlyServices(result, ({ name }) => String(name).toLowerCase().includes(query.toLowerCase()))
        : undefined,
  },
  {
    name: 'A service does not show its status',
    only: ['CAT', 'FEED'],
    operations: READS,
    result: (result) => withServices(result, ({ status, ...others }) => others),
  },
  {
    name: 'A service has no translations over MCP',
    ...list,
    operations: READS,
    result: (result, { binding }) =>
      binding === 'mcp' ? withServices(result, ({ localized, ...others }) => others) : undefined,
  },
  {
    name: 'The catalogue shows no resource as selectable, although each stylist has separate slots',
    only: ['CAT', 'AVL'],
    operations: READS,
    result: (result) =>
      withServices(result, (service) => {
        if (service.resources === undefined) return service
        return withItems(service, 'resources', (all) => all.map((resource) => ({ ...resource, selectable: false })))
      }),
  },
  {
    name: 'The feed has no records of deleted services',
    ...feed,
    result: (result) => withItems(result, 'items', (items) => items.filter(({ state }) => state !== 'deleted')),
  },
  {
    name: 'The last page of the feed has no cursor to resume from',
    ...feed,
    result: (result) =>
      withMember(result, 'pagination', (pagination) =>
        pagination.has_more === true ? undefined : { ...pagination, cursor: null, next_cursor: null },
      ),
  },
  {
    name: 'The feed counts the services of the page instead of all services',
    ...feed,
    result: (result) =>
      withMember(result, 'feed_meta', (meta) => ({ ...meta, total_services: listOf(result.items).length })),
  },
  {
    name: 'A page of the feed begins with the last item of the previous page',
    ...feed,
    result: (result, { input }, memory) => {
      const items = listOf(result.items)
      const { next_cursor, cursor } = result.pagination as Members
      if (items.length > 0) memory.set(String(next_cursor ?? cursor), items.at(-1))
      const before = typeof input.cursor === 'string' ? memory.get(input.cursor) : undefined
      return before && items.length > 0 ? { ...result, items: [before, ...items] } : undefined
    },
  },
  {
    name: 'The feed returns its first page for an unknown cursor',
    seenAt: 'https://github.com/Ixotic27/The-Leetcode-City/issues/487',
    ...feed,
    result: (result, { input }, memory) => {
      if (input.cursor === undefined) memory.set('first', result)
      return undefined
    },
    answer: (answer, call, memory) =>
      codeOf(answer, call) === 'cursor_expired' ? success(answer, call, memory.get('first') as Members) : undefined,
  },
]
