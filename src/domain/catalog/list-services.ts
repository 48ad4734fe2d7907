import { defineOperation } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import type { ListServices } from '../../protocol/types.generated.ts'
import { nameWithId } from './describe-service.ts'
import { CACHE_SECONDS, LIST_CURSOR_SECONDS, LIST_PAGE } from './page-limits.ts'
import { endOfPage, type ListPosition, serviceList } from './queries.ts'
import { searchWords } from './search-words.ts'
import { localize } from './translate-service.ts'

export const listServices = defineOperation<ListServices>({
  id: 'listServices',
  rest: 'POST /services/list',
  tool: 'usp_services_list',
  title: 'List services',
  description:
    'Finds bookable services by text or filters, one page at a time. Without either it lists the catalogue. Spelling mistakes are tolerated. Use the returned ids with the other tools.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'read',
  fromStandby: true,
  ignores: ({ filters: { categories, price } = {} }) => [
    ...['address_country', 'address_region', 'postal_code', 'intent'].map((name) => `$.context.${name}`),
    ...(categories ? ['$.filters.category_id'] : []),
    // The property `context.currency` says in which currency the server compares prices with a price filter. Without a
    // price filter, the server ignores the property.
    ...(price?.min === undefined && price?.max === undefined ? ['$.context.currency'] : []),
  ],
  input: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        maxLength: 500,
        description: 'Words to search for in names, descriptions and categories, in any language.',
      },
      filters: shape('ServiceFilters'),
      context: shape('BuyerContext'),
      pagination: {
        type: 'object',
        description: `Which page to return. A page has ${LIST_PAGE.usual} services by default, ${LIST_PAGE.most} at most.`,
        properties: {
          cursor: {
            type: ['string', 'null'],
            description: 'Cursor of the previous page, if any.',
          },
          limit: { type: 'integer', minimum: 1, default: LIST_PAGE.usual, description: 'Services per page.' },
        },
      },
    },
  },
  output: {
    type: 'object',
    required: ['services', 'pagination'],
    properties: { services: { type: 'array', items: shape('Service') }, pagination: shape('Pagination') },
  },
  cache: { seconds: CACHE_SECONDS, identity: ({ services, pagination }) => [services, pagination.has_more] },
  summary: ({ services, pagination }) => {
    if (services.length === 0) return 'No service matches.'
    const names = services.map(nameWithId).join(', ')
    return `${count(services.length)}: ${names}.${pagination.has_more ? ` There are more from the cursor ${pagination.cursor} on.` : ''}`
  },
  async handle({ input, db, now, cursors }) {
    const { query = '', filters = {}, context = {}, pagination = {} } = input
    const words = searchWords(query)
    const scope = canonical(['listServices', words, filters, context])
    const limit = Math.min(pagination.limit ?? LIST_PAGE.usual, LIST_PAGE.most)
    const after = pagination.cursor ? cursors.open(scope, pagination.cursor, now, LIST_CURSOR_SECONDS) : undefined

    const rows = await serviceList(db, {
      words,
      filters,
      currency: context.currency,
      coordinates: context.coordinates,
      after: after as ListPosition | undefined,
      size: limit,
    })
    const last = endOfPage(rows)
    return {
      services: rows.map((row) => localize(row, context.language)),
      pagination: {
        cursor: last ? cursors.seal(scope, [last.score, last.metres, last.ordinal], now) : null,
        has_more: last !== undefined,
      },
    }
  },
})

const count = (services: number) => (services === 1 ? 'One service' : `${services} services`)
