import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { RegistryEntry, SearchBusinesses } from '../../../protocol/types.generated.ts'
import { entryOf } from '../listings/registration-response.ts'
import { businessSearch, type FoundBusiness } from './business-search-sql.ts'
import { expandQuery, ranksOf } from './expand-search-words.ts'
import { pageOf } from './page-of-search-results.ts'
import { searchCircleOf } from './search-circle.ts'
import { withState } from './search-index-state.ts'
import { isFilter, locationFault, noFilter, refuseSearch, searched, textOf } from './search-schema.ts'

const filters = ['location', 'verticals', 'categories', 'query', 'deployment_mode'] as const

export const searchBusinesses = defineOperation<SearchBusinesses>({
  id: 'searchBusinesses',
  rest: 'POST /registry/search_business',
  tool: 'usp_registry_search_business',
  title: 'Find businesses',
  description:
    'Finds businesses by place, type of service, category and words. The best and nearest matches come first. ' +
    'A result must match every filter, and one value of each list. Read the profile of a business before you ' +
    'call it.',
  capability: 'dev.usp-protocol.discovery.registry',
  access: 'public',
  effect: 'read',
  fromStandby: true,
  ignores: () => ['$.context.locale', '$.context.currency'],
  input: {
    type: 'object',
    properties: {
      ...searched,
      query: textOf('Words to search for in names and categories; spelling mistakes are tolerated.'),
      deployment_mode: { enum: ['standalone', 'ucp_native'], description: 'Only businesses of this mode.' },
    },
  },
  output: {
    type: 'object',
    required: ['businesses', 'pagination'],
    properties: { businesses: { type: 'array', items: shape('RegistryEntry') }, pagination: shape('Pagination') },
  },
  summary: ({ businesses, messages: [fault] = [], pagination }) => {
    if (fault) return fault.content
    if (businesses.length === 0) return 'No business matches.'
    const names = businesses.map(({ name, profile_url }) => `${name} (${profile_url})`).join(', ')
    return `${names}.${pagination.has_more ? ` There are more from the cursor ${pagination.cursor} on.` : ''}`
  },
  async handle(context) {
    const { input, db } = context
    const fault = faultOf(input)
    if (fault) throw refuseSearch(fault)
    const { location, verticals = [], categories = [], query, deployment_mode: deploymentMode } = input
    const circle = searchCircleOf(location)
    const expanded = await expandQuery(db, query)
    const part = { expanded, ranks: ranksOf(expanded) }
    const { page, pagination } = await pageOf<FoundBusiness, typeof part, RegistryEntry>(
      'searchBusinesses',
      context,
      [part],
      {
        toResult: (row) => entryOf(row),
        search: ({ after, limit }) =>
          withState(businessSearch({ expanded, after, limit, circle, verticals, categories, deploymentMode })),
      },
    )
    return { businesses: page, pagination }
  },
})

const faultOf = (input: SearchBusinesses['input']) =>
  filters.some((name) => isFilter(input[name])) ? locationFault(input.location) : noFilter(filters)
