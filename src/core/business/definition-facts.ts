import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { USP } from '../../infra/util/terminal-error.ts'
import type { Context } from '../../protocol/define-operation.ts'
import type { CurrentBusiness } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { businessDefinition } from './definition-queries.ts'

export const isOpenToBrowsers = ({ website, deployment_mode }: BusinessDefinition): boolean =>
  (website?.enabled ?? true) && deployment_mode !== 'ucp_native'

/**
 * Whether AI assistants may book for people. The booking pages must also be enabled, because assistants send people to
 * these pages for open tasks, such as a payment.
 */
export const isOpenToAssistants = (definition: BusinessDefinition): boolean =>
  isOpenToBrowsers(definition) && (definition.website?.assistants ?? true)

export const zoneOf = async ({ business }: Pick<Context, 'business'>): Promise<string> =>
  (await business.get())?.business.timezone ?? 'UTC'

export const notSetUp = () =>
  new ProtocolError('service_unavailable', `No business is set up on this server yet: run \`${USP} apply FILE\`.`, {
    retryAfter: 60,
  })

/**
 * Whether a service of the business requires no person, although such services usually do and the business has staff.
 * Buyers can then book the service while all staff are busy. This setting can be a mistake.
 */
export const requiresNoPerson = (
  { type, status = 'active', resources = [] }: ServiceDefinition,
  definition: Pick<BusinessDefinition, 'resources'>,
): boolean =>
  status === 'active' &&
  (type === 'appointment' || type === 'field_service') &&
  !resources.some((required) => required.type === 'staff') &&
  (definition.resources ?? []).some((resource) => resource.type === 'staff')

/**
 * Converts the type of a resource, such as a room, to a type of the protocol. The protocol has no type for tables, so a
 * table becomes `other`.
 */
export const wireType = (type: string) => (type === 'table' ? 'other' : type)

/**
 * How long the server uses the cached business definition before it checks the database for a newer version, in
 * milliseconds.
 */
const TRUSTED_MS = 1_000

/**
 * Caches the business definition (services, people, hours and prices) in memory. The server reads the definition again
 * when its version in the database has changed.
 */
export function cachedBusiness(db: Database): CurrentBusiness {
  let definition: BusinessDefinition | undefined
  let version = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  const seenBy = async (from: Database) => {
    const { rows } = await sql<{ version: number }>`select version from business`.execute(from)
    const found = rows[0]?.version ?? 0
    if (found !== version) {
      definition = await businessDefinition(from)
      version = found
    }
    checkedAt = performance.now()
    return definition
  }
  return {
    seenBy,
    get: async () => (performance.now() - checkedAt < TRUSTED_MS ? definition : seenBy(db)),
  }
}
