import type { Caller } from '../../../protocol/caller-types.ts'
import type { ObjectSchema } from '../../../protocol/define-operation.ts'
import { invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import { type Schema, shape } from '../../../protocol/json-schemas.ts'
import type { RegistryEntry } from '../../../protocol/types.generated.ts'
import type { Registration } from './registration-response.ts'

const text = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description })
const texts = (maxItems: number, description: string) => ({
  type: 'array',
  maxItems,
  items: { type: 'string', minLength: 1, maxLength: 100 },
  description,
})

export const coordinatesOf = (description: string) => ({
  type: 'object',
  required: ['lat', 'lng'],
  description,
  properties: {
    lat: { type: 'number', minimum: -90, maximum: 90, description: 'Latitude in degrees.' },
    lng: { type: 'number', minimum: -180, maximum: 180, description: 'Longitude in degrees.' },
  },
})

const listing: Record<string, Schema> = {
  // This schema has no `format`, because the server reports an invalid profile URL with its own error code.
  profile_url: {
    type: 'string',
    maxLength: 2000,
    description: 'Where the business publishes its profile: an https address whose profile fits deployment_mode.',
  },
  deployment_mode: {
    enum: ['standalone', 'ucp_native'],
    description: 'standalone if there is a USP profile at profile_url, ucp_native if it is a UCP profile.',
  },
  name: text(200, 'The name under which people know the business.'),
  description: text(2000, 'A few sentences about it, shown with search results.'),
  verticals: texts(20, 'The types of service it offers, such as appointment or group.'),
  categories: { ...texts(50, 'Ids of the categories under which searches find it.'), uniqueItems: true },
  location: {
    type: 'object',
    description: 'Where buyers come to; required if any service takes place at the business.',
    properties: {
      address: text(500, 'The address as people write it.'),
      coordinates: coordinatesOf('The position on the map; only businesses with one are found by place.'),
    },
  },
  timezone: text(100, 'IANA time zone of the business, such as America/New_York.'),
}

const required = ['profile_url', 'deployment_mode', 'name', 'verticals', 'categories', 'timezone']

const id = { type: 'string', minLength: 1, description: 'Id of the registration.' }

export const newListing: ObjectSchema = { type: 'object', required, properties: listing }
export const changedListing: ObjectSchema = {
  type: 'object',
  required: ['id', ...required],
  properties: { id, ...listing },
}
export const byId: ObjectSchema = { type: 'object', required: ['id'], properties: { id } }

export const onRegistrations = {
  capability: 'dev.usp-protocol.discovery.registry',
  output: {
    type: 'object',
    required: ['registration'],
    properties: { registration: shape('RegistryEntry') },
  },
  summary: ({ registration: { id, name, status } }: { registration: RegistryEntry }) =>
    `${name} is listed as ${id}${status === 'active' ? '' : ', but not shown in searches'}.`,
} as const

/**
 * Refuses a call if the caller has no registration with the requested id. The answer does not reveal whether another
 * owner has a registration with the same id.
 */
export function requireOwn(found: Registration | undefined): Registration {
  if (!found) throw new ProtocolError('registration_not_found', 'You have no such registration.')
  return found
}

/** Refuses a registration if another owner has already registered a business with the same profile. */
export function refuseOthers({ principal, profile }: Registration, caller: Caller): void {
  if (!caller.identities.includes(principal) || profile !== caller.profile) throw listedByAnother()
}

export const listedByAnother = () => invalidInput('A business with this profile is listed already.', '$.profile_url')

/** This error means that another call changed the registration between the check and the update. */
export const changedMeanwhile = () =>
  new ProtocolError(
    'service_unavailable',
    'The registration was changed by another call just now. Send this one again.',
  )
