import { sql } from 'kysely'
import type { StoredMailServer } from '../../infra/config/mail-server.ts'
import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { USP } from '../../infra/util/command-line-error.ts'
import type { Context } from '../../protocol/define-operation.ts'
import type { CurrentBusiness } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { businessDefinition } from './definition-queries.ts'
import { storedMailServer } from './mail-server-queries.ts'
import { storedTextProvider } from './text-provider-queries.ts'

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
 * Whether an active service requires no staff member, although it is an appointment or field service and the business
 * has staff. Buyers can then book the service while all staff are busy, so this setting can be a mistake.
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
 * Converts the type of a resource, such as a room, to a type that the protocol defines. The protocol has no type for
 * tables, so a table becomes `other`.
 */
export const wireType = (type: string) => (type === 'table' ? 'other' : type)

/**
 * How long the server uses the cached business definition before it checks the database for a newer version, in
 * milliseconds.
 */
const TRUSTED_MS = 1_000

/**
 * Caches the business definition (services, people, hours and prices), the stored mail server and the stored provider of
 * text messages in memory. The server reads them again when their versions in the database have changed. One query reads
 * all versions, and whether there are push subscriptions.
 */
export function cachedBusiness(db: Database): CurrentBusiness {
  let definition: BusinessDefinition | undefined
  let version = 0
  let mailServer: StoredMailServer | undefined
  let mailServerRevision: string | null = null
  let isPushed = false
  let textProvider: StoredTextProvider | undefined
  let textProviderRevision: string | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  const refresh = async (from: Database) => {
    const { rows } = await sql<{
      version: number | null
      revision: string | null
      texts: string | null
      pushed: boolean
    }>`
      select (select version from business) as version, (select revision from mail_server) as revision,
        (select revision from text_provider) as texts, exists (select from push_subscriptions) as pushed`.execute(from)
    const { version: found, revision, texts, pushed } = onlyRow({ rows })
    isPushed = pushed
    if ((found ?? 0) !== version) {
      definition = await businessDefinition(from)
      version = found ?? 0
    }
    if (revision !== mailServerRevision) {
      mailServer = await storedMailServer(from)
      mailServerRevision = revision
    }
    if (texts !== textProviderRevision) {
      textProvider = await storedTextProvider(from)
      textProviderRevision = texts
    }
    checkedAt = performance.now()
  }
  let refreshing: Promise<void> | undefined
  const refreshIfOld = async () => {
    if (performance.now() - checkedAt < TRUSTED_MS) return
    // Calls at the same time share one refresh. Otherwise, they would get different objects for one mail server.
    refreshing ??= refresh(db).finally(() => {
      refreshing = undefined
    })
    await refreshing
  }
  return {
    async seenBy(tx) {
      await refresh(tx)
      return definition
    },
    async get() {
      await refreshIfOld()
      return definition
    },
    async mailServer() {
      await refreshIfOld()
      return mailServer
    },
    async hasPushSubscriptions() {
      await refreshIfOld()
      return isPushed
    },
    async textProvider() {
      await refreshIfOld()
      return textProvider
    },
  }
}
