import { hash } from 'node:crypto'
import { countInMinute, headersOf, rateLimitError } from '../core/limits/rate-limits.ts'
import { PUBLISH_KEY_HINT } from '../core/limits/stranger-caller-quota.ts'
import { networkOf } from '../infra/net/ip-addresses.ts'
import { asRecord } from '../infra/util/object-members.ts'
import type { Family, StrangerLimit } from '../protocol/call-limit-types.ts'
import type { Caller } from '../protocol/caller-types.ts'
import type { Call, Operation } from '../protocol/define-operation.ts'
import type { Dependencies } from '../protocol/dependency-types.ts'
import { ProtocolError } from '../protocol/errors.ts'

const families: Record<string, Family> = {
  'dev.usp-protocol.services.catalog': 'catalogue',
  'dev.usp-protocol.services.availability': 'availability',
  'dev.usp-protocol.services.bookings': 'bookings',
  'dev.ucp.shopping.checkout': 'bookings',
  'dev.ucp.shopping.order': 'bookings',
}

export type CountingDependencies = Dependencies<'db' | 'business' | 'clock' | 'limits'>

/**
 * Limits the calls of each kind, such as bookings, that an authenticated caller may make in a minute. The check
 * `checkAddress` has already counted the calls of public operations by IP address range.
 */
export async function checkRate(call: Call, dependencies: CountingDependencies): Promise<void> {
  if (!call.caller) return
  const family = familyOf(call)
  // The following counts all start in the same turn of the event loop, so that the query batcher combines them in one
  // SQL statement.
  const { principal } = call.caller
  const [headers] = await Promise.all([
    countCall(dependencies, family, callerOf(call, call.caller, family)),
    countStranger(call, dependencies),
    // A caller can choose any ids of checkouts and orders, and each id has its own count. Therefore all UCP calls of
    // one caller together have a limit too.
    call.operation.protocol === 'ucp' && countCall(dependencies, 'messages', principal),
  ])
  Object.assign(call.answerHeaders, headers)
}

/** Counts one call against its limit. Returns the rate limit headers, or throws an error if the limit is exceeded. */
export async function countCall({ db, business, clock, limits }: CountingDependencies, family: Family, caller: string) {
  const limit = (await business.get())?.limits?.[family] ?? limits[family]
  const allowance = await countInMinute(db, `${family} ${caller}`, limit, clock())
  if (allowance.remaining < 0) throw rateLimitError(allowance)
  return headersOf(allowance)
}

/**
 * Limits the requests from one IP address range that call no operation and need no authentication, such as requests for
 * pages.
 */
export const countAddress = (dependencies: CountingDependencies, what: string, address: string) =>
  countCall(dependencies, 'other', `${what} ${networkOf(address)}`)

export function familyOf({ operation }: Pick<Call, 'operation'>): Family {
  if (operation.access === 'business_only') return 'staff'
  if (operation.limit) return operation.limit
  if (operation.access !== 'public' && operation.capability === 'dev.usp-protocol.services.catalog') return 'other'
  return families[operation.capability] ?? 'other'
}

/**
 * Returns the name under which a call is counted. For holds and bookings, each buyer of a platform and each UCP
 * checkout has a separate count. The name then contains a digest of the buyer's email address or of the checkout id.
 * The database keeps the name for one minute.
 */
function callerOf({ operation, input }: Call, { principal }: Caller, family: Family): string {
  const subject = family === 'holds' || family === 'bookings' ? subjectOf(operation, asRecord(input)) : undefined
  return subject === undefined ? principal : `${principal} ${hash('sha256', subject, 'base64url')}`
}

/** Returns the buyer's email address, or the id of the checkout or order. Undefined if the call has none of these. */
function subjectOf({ input, protocol }: Operation, { buyer, id }: Record<string, unknown>): string | undefined {
  const subject =
    protocol === 'ucp' && 'id' in input.properties ? id : 'buyer' in input.properties && asRecord(buyer).email
  return typeof subject === 'string' ? subject.toLowerCase() : undefined
}

/**
 * Advice for platforms that run many agents, each with its own key. The profile of such a platform cannot always
 * publish all keys.
 */
const PUBLISHED_KEY_HINT =
  'Prove or sign these calls with a key that your profile publishes, or ask the business for an API key or a higher ' +
  '`limits.strangers.beside_keys`.'

/**
 * Counts a call of a caller without a known identity against the limit of its IP address range. A change also counts
 * against the profile that the caller names, although nothing proves that the profile belongs to the caller.
 */
async function countStranger({ caller, operation }: Call, { db, clock }: Dependencies<'db' | 'clock'>): Promise<void> {
  const stranger = caller?.stranger
  if (!stranger) return
  const { network, limits, profileDigest, reportLimit } = stranger
  const countOne = async (limit: StrangerLimit, key: string) => {
    const allowance = await countInMinute(db, key, limits[limit], clock())
    if (allowance.remaining >= 0) return
    reportLimit(limit)
    const message =
      limit === 'beside_keys'
        ? `More than ${limits[limit]} changes in a minute by keys that your platform profile does not publish. ${PUBLISHED_KEY_HINT}`
        : `More than ${limits[limit]} calls in a minute. ${PUBLISH_KEY_HINT}`
    throw new ProtocolError('rate_limited', message, {
      retryAfter: allowance.reset,
      headers: headersOf(allowance),
    })
  }
  await Promise.all([
    countOne('calls', `strangers ${network}`),
    profileDigest !== undefined && operation.effect !== 'read'
      ? countOne('beside_keys', `strangers ${network} ${profileDigest}`)
      : undefined,
  ])
}
