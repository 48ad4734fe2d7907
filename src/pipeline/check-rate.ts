import { hash } from 'node:crypto'
import { countStranger } from '../core/limits/count-stranger.ts'
import { count, exceeded, headersOf } from '../core/limits/rate-limits.ts'
import { networkOf } from '../infra/net/addresses.ts'
import { recordOf } from '../infra/util/record-of.ts'
import type { Caller } from '../protocol/caller.ts'
import type { Family } from '../protocol/limits.ts'
import type { Means } from '../protocol/means.ts'
import type { Call } from '../protocol/operation.ts'

const families: Record<string, Family> = {
  'dev.usp-protocol.services.catalog': 'catalogue',
  'dev.usp-protocol.services.availability': 'availability',
  'dev.usp-protocol.services.bookings': 'bookings',
}

/** What is needed to count calls. */
export type CountingMeans = Means<'db' | 'business' | 'clock' | 'limits'>

/** So many calls a minute of one family by whoever is proven. Where nobody is, the address was counted at the start. */
export async function checkRate(call: Call, means: CountingMeans): Promise<void> {
  if (!call.caller) return
  const family = familyOf(call)
  // At once, so that they are counted in one statement.
  const [headers] = await Promise.all([
    countCall(means, family, callerOf(call, call.caller, family)),
    countStranger(call, means),
  ])
  Object.assign(call.answerHeaders, headers)
}

/** What the answer says of the allowance, or the refusal when none is left. */
export async function countCall({ db, business, clock, limits }: CountingMeans, family: Family, caller: string) {
  const limit = (await business.get())?.limits?.[family] ?? limits[family]
  const allowance = await count(db, `${family} ${caller}`, limit, clock())
  if (allowance.remaining < 0) throw exceeded(allowance)
  return headersOf(allowance)
}

/** The same for what is no operation and asks nobody who is calling: so many a minute from one address. */
export const countAddress = (means: CountingMeans, what: string, address: string) =>
  countCall(means, 'other', `${what} ${networkOf(address)}`)

export function familyOf({ operation }: Pick<Call, 'operation'>): Family {
  if (operation.access === 'business_only') return 'staff'
  if (operation.limit) return operation.limit
  if (operation.access !== 'public' && operation.capability === 'dev.usp-protocol.services.catalog') return 'other'
  return families[operation.capability] ?? 'other'
}

/** For bookings a platform's buyers are counted apart; of them only a digest is kept, and that for a minute. */
function callerOf({ operation, input }: Call, { principal }: Caller, family: Family): string {
  const concernsBuyer = (family === 'holds' || family === 'bookings') && 'buyer' in operation.input.properties
  const email: unknown = recordOf(recordOf(input).buyer).email
  const buyer = concernsBuyer && typeof email === 'string' ? ` ${hash('sha256', email.toLowerCase(), 'base64url')}` : ''
  return `${principal}${buyer}`
}
