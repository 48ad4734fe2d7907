import { asRecord } from '../../../infra/util/as-record.ts'
import { errors } from '../../../protocol/errors.ts'
import { type Schema, shape } from '../../../protocol/schemas.ts'
import type { Message, RegistrySearchLocation } from '../../../protocol/types.generated.ts'
import { wordsOf } from '../../catalog/search.ts'
import { coordinatesOf } from '../listings/operation-parts.ts'
import { PAGE } from './search-page.ts'

const anyOf = (description: string) => ({
  type: 'array',
  maxItems: 100,
  items: { type: 'string', maxLength: 200 },
  description,
})

export const searched = {
  location: {
    type: 'object',
    description: 'A circle in which results must lie; without radius_km it ranks, and leaves out what is nowhere.',
    properties: {
      coordinates: coordinatesOf('The middle of it.'),
      radius_km: { type: 'number', minimum: 0, description: 'How far around it, in kilometres.' },
    },
  },
  verticals: anyOf('Types of service, such as appointment; one of them must fit.'),
  categories: anyOf('Ids of categories; one of them must fit.'),
  context: shape('RegistryContext'),
  pagination: {
    type: 'object',
    description: `Which page. A page has ${PAGE.usual} results unless limit says otherwise, ${PAGE.most} at most.`,
    properties: {
      cursor: { type: ['string', 'null'], description: 'From the previous page; leave out for the first.' },
      limit: { type: 'integer', minimum: 1, default: PAGE.usual, description: 'Results a page.' },
    },
  },
} satisfies Record<string, Schema>

export const textOf = (description: string) => ({ type: 'string', maxLength: 500, description })

export interface Fault {
  path: string
  content: string
}

export const notSearched = ({ path, content }: Fault): Message => ({
  type: 'error',
  code: 'validation_error',
  content,
  severity: errors.validation_error.severity,
  path,
})

/** An empty list or object and a text without words filter nothing. */
export function isFilter(value: unknown): boolean {
  if (typeof value === 'string') return wordsOf(value).length > 0
  return value !== undefined && Object.keys(asRecord(value)).length > 0
}

export const noFilter = (names: readonly string[]): Fault => ({
  path: '$',
  content: `Say what to look for: at least one of ${names.join(', ')}.`,
})

export function locationFault(location: RegistrySearchLocation = {}): Fault | undefined {
  if (location.coordinates || !isFilter(location)) return undefined
  return { path: '$.location.coordinates', content: 'A location needs the coordinates of its middle.' }
}
