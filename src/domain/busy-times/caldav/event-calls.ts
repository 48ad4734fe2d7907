import { UnreadCalendarError } from '../calendar-problems.ts'
import type { CaldavClient } from './caldav-client.ts'
import { resolved } from './caldav-client.ts'
import { DAV } from './multistatus.ts'
import { keyOf } from './object-keys.ts'
import { multigetBody } from './read-account.ts'

/** An event at a CalDAV server. Without an etag, the server does not tell the version of the event. */
export interface FoundEvent {
  etag: string | null
  content: Buffer
}

const MISSING = [404, 410]
const MAX_ETAG_CHARACTERS = 300

const usableEtag = (text: unknown): string | null =>
  typeof text === 'string' && text.length <= MAX_ETAG_CHARACTERS && /^[\x21-\x7e][\x20-\x7e]*$/.test(text) ? text : null

/** Reads an event. Returns undefined if the CalDAV server says that it does not exist. */
export async function eventGet(client: CaldavClient, url: string): Promise<FoundEvent | undefined> {
  const { status, headers, body } = await client.call({ method: 'GET', url, hasEvents: true })
  if (MISSING.includes(status)) return undefined
  if (status !== 200) throw new UnreadCalendarError('refused')
  return { etag: usableEtag(headers.etag), content: body }
}

/**
 * Writes an event if its version is still `etag`, or if it does not exist yet (undefined). Returns 'changed' if another
 * program has changed, deleted or created the event meanwhile.
 */
export async function eventPut(
  client: CaldavClient,
  url: string,
  { body, etag }: { body: string; etag: string | null | undefined },
): Promise<{ etag: string | null } | 'changed'> {
  const { status, headers } = await client.call({
    method: 'PUT',
    url,
    body,
    headers: { 'content-type': 'text/calendar; charset=utf-8', ...conditionOf(etag) },
  })
  if ([404, 409, 410, 412].includes(status)) return 'changed'
  if (status < 200 || status > 299) throw new UnreadCalendarError('not_writable')
  return { etag: usableEtag(headers.etag) }
}

/** Deletes an event if its version is still `etag`. Returns 'changed' if another program has changed it meanwhile. */
export async function eventDelete(
  client: CaldavClient,
  url: string,
  etag: string | null,
): Promise<'deleted' | 'changed'> {
  const { status } = await client.call({ method: 'DELETE', url, headers: conditionOf(etag) })
  if (MISSING.includes(status)) return 'deleted'
  if (status === 412) return 'changed'
  if (status < 200 || status > 299) throw new UnreadCalendarError('not_writable')
  return 'deleted'
}

const conditionOf = (etag: string | null | undefined): Record<string, string> => {
  if (etag === undefined) return { 'if-none-match': '*' }
  return etag === null ? {} : { 'if-match': etag }
}

const EVENTS_PER_CALL = 50

/**
 * Asks for the versions of these events of one calendar. `missing` contains the addresses that the CalDAV server does not
 * know. If the answer lacks an event, the function throws an error, because the event may still exist.
 */
export async function eventVersions(
  client: CaldavClient,
  calendar: string,
  addresses: readonly string[],
): Promise<{ versions: Map<string, string | null>; missing: string[] }> {
  const versions = new Map<string, string | null>()
  const missing: string[] = []
  for (let nth = 0; nth < addresses.length; nth += EVENTS_PER_CALL) {
    const asked = new Map(addresses.slice(nth, nth + EVENTS_PER_CALL).map((one) => [keyOf(one), one]))
    const paths = [...asked.values()].map((one) => new URL(one).pathname)
    const list = await client.list({
      method: 'REPORT',
      url: calendar,
      depth: '1',
      body: multigetBody('<d:getetag/>', paths),
    })
    for (const { href, status, found } of list.responses) {
      const key = keyOf(resolved(href, list.url))
      const address = asked.get(key)
      if (address === undefined) continue
      const etag = found.find(({ name }) => name === `${DAV} getetag`)?.text.trim()
      if (status !== undefined && MISSING.includes(status)) missing.push(address)
      else if (etag === undefined) throw new UnreadCalendarError('truncated')
      else versions.set(address, usableEtag(etag))
      asked.delete(key)
    }
    if (asked.size > 0) throw new UnreadCalendarError('truncated')
  }
  return { versions, missing }
}
