import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import type { Fault, SeenCall } from '../fault.ts'
import { codeOf, listOf, success } from './error-answers.ts'

const READS: OperationName[] = ['listServices', 'getService', 'lookupServices']
const list: Pick<Fault, 'only' | 'operations'> = { only: ['CAT'], operations: ['listServices'] }
const feed: Pick<Fault, 'only' | 'operations'> = { only: ['FEED', 'PAG'], operations: ['readFeed'] }

/** Changes the services of a result, whether it has one or many. */
function withServices(result: Members, change: (service: Members) => Members): Members {
  if (Array.isArray(result.services)) return { ...result, services: listOf(result.services).map(change) }
  return result.service ? { ...result, service: change(result.service as Members) } : result
}

const filtersOf = ({ input }: SeenCall) => (input.filters ?? {}) as Members
const onlyServices = (result: Members, isShown: (service: Members) => boolean) => ({
  ...result,
  services: listOf(result.services).filter(isShown),
})

export const catalogueContentFaults: Fault[] = [
  {
    name: 'The list leaves out the policies, which the single service has',
    ...list,
    result: (result) => withServices(result, ({ policies, ...others }) => others),
  },
  {
    name: 'A fixed price is stated in whole units of the currency',
    only: ['CAT', 'DEF'],
    operations: READS,
    result: (result) =>
      withServices(result, (service) => {
        const pricing = service.pricing as Members | undefined
        const amount = pricing?.amount
        return typeof amount === 'number' ? { ...service, pricing: { ...pricing, amount: amount / 100 } } : service
      }),
  },
  {
    name: 'A lookup that names an id twice answers the service twice',
    only: ['CAT'],
    operations: ['lookupServices'],
    result: (result, { input }) => {
      const ids: unknown[] = Array.isArray(input.ids) ? input.ids : []
      const services = listOf(result.services)
      return { ...result, services: ids.flatMap((id) => services.filter((service) => service.id === id)) }
    },
  },
  {
    name: 'A lookup does not say which ids it did not find',
    only: ['CAT'],
    operations: ['lookupServices'],
    result: ({ messages, ...others }) => others,
  },
  {
    name: 'A filter by category compares the primary category only',
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
    name: 'The least price of a filter is not part of its range',
    ...list,
    result: (result, call) => {
      const { min } = (filtersOf(call).price ?? {}) as Members
      return min === undefined ? undefined : onlyServices(result, ({ pricing }) => (pricing as Members).amount !== min)
    },
  },
  {
    name: 'A search finds words of the name only, not of the description',
    ...list,
    result: (result, { input: { query } }) =>
      typeof query === 'string' && query !== ''
        ? onlyServices(result, ({ name }) => String(name).toLowerCase().includes(query.toLowerCase()))
        : undefined,
  },
  {
    name: 'A suspended service looks like any other',
    only: ['CAT', 'FEED'],
    operations: READS,
    result: (result) => withServices(result, ({ status, ...others }) => others),
  },
  {
    name: 'A service has no translations when it is read over a tool',
    ...list,
    operations: READS,
    result: (result, { binding }) =>
      binding === 'mcp' ? withServices(result, ({ localized, ...others }) => others) : undefined,
  },
  {
    name: 'No resource is selectable, although each stylist has slots of their own',
    only: ['CAT', 'AVL'],
    operations: READS,
    result: (result) =>
      withServices(result, (service) => ({
        ...service,
        ...(service.resources !== undefined && {
          resources: listOf(service.resources).map((resource) => ({ ...resource, selectable: false })),
        }),
      })),
  },
  {
    name: 'The feed leaves out what was deleted',
    ...feed,
    result: (result) => ({ ...result, items: listOf(result.items).filter(({ state }) => state !== 'deleted') }),
  },
  {
    name: 'The last page of the feed has no cursor to go on from',
    ...feed,
    result: (result) => {
      const pagination = result.pagination as Members
      if (pagination.has_more === true) return undefined
      return { ...result, pagination: { ...pagination, cursor: null, next_cursor: null } }
    },
  },
  {
    name: 'The feed counts the services of the page in place of all',
    ...feed,
    result: (result) => {
      const meta = result.feed_meta as Members
      return { ...result, feed_meta: { ...meta, total_services: listOf(result.items).length } }
    },
  },
  {
    name: 'The feed after a cursor begins with the last item before it',
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
    name: 'The feed starts anew at a cursor that it does not know',
    seenAt: 'https://github.com/Ixotic27/The-Leetcode-City/issues/487',
    ...feed,
    result: (result, { input }, memory) => {
      if (input.cursor === undefined) memory.set('first', result)
      return undefined
    },
    answer: (answer, call, memory) =>
      codeOf(answer) === 'cursor_expired' ? success(answer, call, memory.get('first') as Members) : undefined,
  },
]
