import { asRecord } from '../../../infra/util/object-members.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import { type Schema, shape } from '../../../protocol/json-schemas.ts'
import type { RegistrySearchLocation } from '../../../protocol/types.generated.ts'
import { wordsOf } from '../../catalog/search-words.ts'
import { coordinatesOf } from '../listings/operation-defaults.ts'
import { PAGE } from './page-of-search-results.ts'

const anyOf = (description: string) => ({
  type: 'array',
  maxItems: 100,
  items: { type: 'string', maxLength: 200 },
  description,
})

const categoryIds = (description: string) => ({
  ...anyOf(description),
  items: { type: 'string', minLength: 1, maxLength: 200 },
  uniqueItems: true,
})

export const searched = {
  location: {
    type: 'object',
    description:
      'A circle in which results must lie. Without radius_km it only ranks results and leaves out those without ' +
      'a position.',
    properties: {
      coordinates: coordinatesOf('The center of the circle.'),
      radius_km: { type: 'number', minimum: 0, description: 'The radius in kilometers.' },
    },
  },
  verticals: anyOf('Types of service, such as appointment; one of them must match.'),
  categories: categoryIds('Ids of categories; one of them must match.'),
  context: shape('RegistryContext'),
  pagination: {
    type: 'object',
    description: `Which page to return. A page has ${PAGE.usual} results by default, ${PAGE.most} at most.`,
    properties: {
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: PAGE.usual, description: 'Results per page.' },
    },
  },
} satisfies Record<string, Schema>

export const textOf = (description: string) => ({ type: 'string', maxLength: 500, description })

export interface Fault {
  path: string
  content: string
}

export const refuseSearch = ({ path, content }: Fault) => invalidInput(content, path)

/**
 * Whether a value of the search input limits the results. An empty list, an empty object and a text without words do
 * not limit the results.
 */
export function isFilter(value: unknown): boolean {
  if (typeof value === 'string') return wordsOf(value).length > 0
  return value !== undefined && Object.keys(asRecord(value)).length > 0
}

export const noFilter = (names: readonly string[]): Fault => ({
  path: '$',
  content: `Give at least one filter: ${names.join(', ')}.`,
})

export function locationFault(location: RegistrySearchLocation = {}): Fault | undefined {
  if (location.coordinates || !isFilter(location)) return undefined
  return { path: '$.location.coordinates', content: 'A location needs the coordinates of its center.' }
}
