import type { KeyObject } from 'node:crypto'
import { checkedTarget, checkedUrl, EgressError } from '../../core/egress/call-external-url.ts'
import { seal, unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { CalendarProvider } from '../../infra/config/calendar-providers.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { oneLine, shortened } from '../../infra/util/plain-text.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import { accountOf, type CaldavAccount, textOf } from './caldav/caldav-account.ts'
import { type ProviderAccount, providerAccountOf, textOfAccount } from './oauth/provider-account.ts'
import {
  addressesOf,
  type ListedSource,
  sourceInsert,
  sourceReplace,
  sourcesList,
  sourcesLock,
} from './source-queries.ts'
import { LONGEST_NAME } from './source-schema.ts'
import { type WritingChoice, writerChoose } from './writer-queries.ts'

/** The maximum number of calendars of one resource, and of the whole business. */
const MOST_OF_RESOURCE = 20
const MOST = 2_000

const refuseAddress = (problem: string) => invalidInput(`The address ${problem}.`, '$.address')

/** Calendar programs write `webcal` instead of `https`, so that a click on the address opens them. */
const httpsAddress = (address: string): string => address.trim().replace(/^webcals?:/i, 'https:')

/** Refuses an address that the server may not call. The function looks up the host. */
export async function checkAddress(address: string, config: Config): Promise<void> {
  try {
    await checkedTarget(httpsAddress(address), config)
  } catch (error) {
    throw error instanceof EgressError ? refuseAddress(error.message) : error
  }
}

/** The address of a calendar file, or an account at the CalDAV server with this address. */
export interface AddressAccess {
  address: string
  caldav?: CaldavAccess | undefined
}

interface CaldavAccess extends Omit<CaldavAccount, 'address'> {
  /** The name of the calendar into which the server writes bookings. */
  write_to?: string | undefined
  write_names?: boolean | undefined
}

export interface Connection {
  resource: string
  access: AddressAccess | { account: ProviderAccount }
  name: string | undefined
  actor: string
}

/**
 * Stores a calendar of another provider. A background worker then reads it. If the account is connected already, the
 * function replaces its access and its settings.
 */
export async function connectSource(
  tx: UnitOfWork,
  { resource, access, name, actor }: Connection,
  { config, key }: { config: Config; key: KeyObject },
  now: Date,
): Promise<ListedSource> {
  const target = 'account' in access ? accountTarget(access.account) : addressTarget(access, config)
  const { kind, host, secret } = target
  await sourcesLock(tx)
  const stored = await addressesOf(tx)
  const own = stored.filter(({ resource_id }) => resource_id === resource)
  const same = own.find((source) => {
    const text = unsealIfPossible(key, source.address)
    return text !== undefined && target.isSame(source.kind, text)
  })
  if (same && kind === 'ics') throw refuseAddress('is connected already')
  if (!same && (own.length >= MOST_OF_RESOURCE || stored.length >= MOST))
    throw new BusinessRefusal(
      'invalid_transition',
      `One resource can have ${MOST_OF_RESOURCE} calendars, and a business ${MOST}.`,
    )
  const id = same?.id ?? newId('ccal')
  // The command line prints the name, so it must not contain control characters.
  const label = shortened(oneLine(name ?? '') || oneLine(target.name), LONGEST_NAME)
  const address = seal(key, secret)
  if (same) await sourceReplace(tx, id, { address, name: label, now })
  else {
    const source = { id, resource_id: resource, kind, name: label, host, created_by: actor, created_at: now }
    await sourceInsert(tx, { ...source, address })
  }
  if ('caldav' in access && access.caldav)
    await writerChoose(tx, { id, resource_id: resource }, choiceOf(access.caldav), now)
  const detail = { resource_id: resource, host }
  insertAuditEntry(
    tx,
    { actor, action: 'connect_calendar', subject: `connected_calendar ${id}`, from: null, to: null, detail },
    now,
  )
  const [row] = await sourcesList(tx, { id }, now)
  if (!row) throw new Error('The calendar was not stored.')
  return row
}

const choiceOf = ({ write_to, write_names }: CaldavAccess): WritingChoice | undefined =>
  write_to === undefined ? undefined : { calendar: write_to.trim(), names: write_names ?? false }

/** The stored members of a source, and a function that finds a source of the same calendar or account. */
interface Target {
  kind: string
  host: string
  name: string
  /** The access as a text, before the encryption. */
  secret: string
  isSame(kind: string, secret: string): boolean
}

function addressTarget({ address: written, caldav }: AddressAccess, config: Config): Target {
  const { href: address, host } = checkedUrl(httpsAddress(written), config)
  // The feeds of this server contain its own bookings, which would then block themselves.
  if (host === new URL(config.baseUrl).host) throw refuseAddress('is a calendar of this server')
  if (!caldav) return { kind: 'ics', host, name: host, secret: address, isSame: (_, text) => text === address }
  return {
    kind: 'caldav',
    host,
    name: host,
    secret: textOf({ address, user: caldav.user, password: caldav.password, calendars: caldav.calendars }),
    isSame(kind, text) {
      if (kind !== 'caldav') return false
      const account = accountOf(text)
      return account.address === address && account.user === caldav.user
    },
  }
}

const HOSTS: Record<CalendarProvider, string> = { google: 'calendar.google.com', microsoft: 'outlook.office.com' }

/** A person who connects an account at a provider again gives new access to the same source. */
const accountTarget = (account: ProviderAccount): Target => ({
  kind: account.provider,
  host: HOSTS[account.provider],
  name: account.account,
  secret: textOfAccount(account),
  isSame: (kind, text) => kind === account.provider && providerAccountOf(text).account === account.account,
})
