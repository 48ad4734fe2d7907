import type { KeyObject } from 'node:crypto'
import { checkedTarget, checkedUrl, EgressError } from '../../core/egress/call-external-url.ts'
import { seal, unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { shortened } from '../../infra/util/plain-text.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import { accountOf, type CaldavAccount, textOf } from './caldav/caldav-account.ts'
import { addressesOf, type ListedSource, sourceInsert, sourcesList, sourcesLock } from './source-queries.ts'
import { LONGEST_NAME } from './source-schema.ts'

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

export interface Connection {
  resource: string
  address: string
  /** Set for an account at a CalDAV server. Otherwise, the address leads to a calendar file. */
  caldav?: Omit<CaldavAccount, 'address'> | undefined
  name: string | undefined
  actor: string
}

/** Stores a calendar of another provider. A background worker then reads it. */
export async function connectSource(
  tx: UnitOfWork,
  { resource, address: written, caldav, name, actor }: Connection,
  { config, key }: { config: Config; key: KeyObject },
  now: Date,
): Promise<ListedSource> {
  const { href: address, host } = checkedUrl(httpsAddress(written), config)
  // The feeds of this server contain its own bookings, which would then block themselves.
  if (host === new URL(config.baseUrl).host) throw refuseAddress('is a calendar of this server')
  await sourcesLock(tx)
  const stored = await addressesOf(tx)
  const own = stored.filter(({ resource_id }) => resource_id === resource)
  if (own.length >= MOST_OF_RESOURCE || stored.length >= MOST)
    throw new BusinessRefusal(
      'invalid_transition',
      `One resource can have ${MOST_OF_RESOURCE} calendars, and a business ${MOST}.`,
    )
  const secret = caldav ? textOf({ address, ...caldav }) : address
  const isSame = ({ kind, address: sealed }: (typeof own)[number]) => {
    const text = unsealIfPossible(key, sealed)
    if (text === undefined || !caldav || kind !== 'caldav') return text === secret
    const account = accountOf(text)
    return account.address === address && account.user === caldav.user
  }
  if (own.some(isSame)) throw refuseAddress('is connected already')
  const id = newId('ccal')
  const label = shortened(name?.trim() || host, LONGEST_NAME)
  const kind = caldav ? 'caldav' : 'ics'
  const source = { id, resource_id: resource, kind, name: label, host, created_by: actor, created_at: now }
  await sourceInsert(tx, { ...source, address: seal(key, secret) })
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
