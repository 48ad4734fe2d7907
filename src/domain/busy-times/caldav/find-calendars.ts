import { UnreadCalendarError } from '../calendar-problems.ts'
import type { CaldavAccount } from './caldav-account.ts'
import { type CaldavClient, type DavCall, type DavList, resolved } from './caldav-client.ts'
import { CALDAV, CALENDAR_SERVER, childOf, DAV, type DavResponse, type Element } from './multistatus.ts'

export const NAMESPACES = `xmlns:d="${DAV}" xmlns:c="${CALDAV}" xmlns:s="${CALENDAR_SERVER}"`
const propfind = (properties: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><d:propfind ${NAMESPACES}><d:prop>${properties}</d:prop></d:propfind>`

const WHO = propfind('<d:current-user-principal/><d:resourcetype/><c:calendar-home-set/>')
const CALENDARS = propfind(
  '<d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><s:getctag/><d:sync-token/>',
)
const MAX_CALENDARS = 100

/** Where the calendars of an account are: below one address (depth 1), or the address of a single calendar (depth 0). */
export interface CalendarHome {
  url: string
  depth: '0' | '1'
}

export interface DavCalendar {
  url: string
  /** Texts that change with each change of the calendar. A server can support both, one or none of them. */
  ctag: string | undefined
  token: string | undefined
}

/**
 * Finds the calendars of an account (RFC 6764): at the given address, or else at the well-known address of its host.
 */
export async function findHome(client: CaldavClient, { address }: CaldavAccount): Promise<CalendarHome> {
  for (const start of [address, new URL('/.well-known/caldav', address).href]) {
    const found = await homeAt(client, start)
    if (found) return found
  }
  throw new UnreadCalendarError('no_calendar')
}

async function homeAt(client: CaldavClient, start: string): Promise<CalendarHome | undefined> {
  const first = await resourceAt(client, start)
  if (!first) return undefined
  if (isCalendar(first)) return { url: first.url, depth: '0' }
  const principal = hrefIn(first, `${DAV} current-user-principal`)
  const second = principal === undefined || homeOf(first) ? first : await resourceAt(client, principal)
  const url = second && homeOf(second)
  return url === undefined ? undefined : { url, depth: '1' }
}

type Resource = DavResponse & { url: string }

/** Returns the resource at an address. Returns undefined if there is none that speaks WebDAV. */
async function resourceAt(client: CaldavClient, url: string): Promise<Resource | undefined> {
  const list = await listIfAny(client, { method: 'PROPFIND', url, depth: '0', body: WHO })
  const [response] = list?.responses ?? []
  return list && response && { ...response, url: list.url }
}

async function listIfAny(client: CaldavClient, request: DavCall): Promise<DavList | undefined> {
  try {
    return await client.list(request)
  } catch (error) {
    if (error instanceof UnreadCalendarError && ['refused', 'not_calendar'].includes(error.problem)) return undefined
    throw error
  }
}

const property = ({ found }: DavResponse, name: string): Element | undefined => found.find((one) => one.name === name)

const homeOf = (resource: Resource) => hrefIn(resource, `${CALDAV} calendar-home-set`)

function hrefIn(resource: Resource, name: string): string | undefined {
  const href = childOf(property(resource, name), `${DAV} href`)?.text.trim()
  return href ? resolved(href, resource.url) : undefined
}

const isCalendar = (response: DavResponse): boolean =>
  childOf(property(response, `${DAV} resourcetype`), `${CALDAV} calendar`) !== undefined

/** A calendar with tasks or notes only cannot block time. */
const hasEvents = (response: DavResponse): boolean => {
  const kinds = property(response, `${CALDAV} supported-calendar-component-set`)?.children ?? []
  return kinds.length === 0 || kinds.some(({ label }) => label?.toUpperCase() === 'VEVENT')
}

const MAX_TOKEN_CHARACTERS = 500

/** Without a usable token, the server reads a calendar whole after each change. */
export const usableToken = (text: string | undefined): string | undefined => {
  const token = text?.trim() ?? ''
  return token === '' || token.length > MAX_TOKEN_CHARACTERS ? undefined : token
}

/**
 * Lists the calendars that block time, in one call. If a chosen calendar no longer exists, the function throws an error.
 * Otherwise its times would become free, and the staff would not notice it.
 */
export async function listCalendars(
  client: CaldavClient,
  { url, depth }: CalendarHome,
  { calendars: chosen }: CaldavAccount,
): Promise<DavCalendar[]> {
  const list = await client.list({ method: 'PROPFIND', url, depth, body: CALENDARS })
  const all = list.responses.filter((one) => isCalendar(one) && hasEvents(one))
  const isNamed = (response: DavResponse, name: string) =>
    property(response, `${DAV} displayname`)?.text.trim().toLowerCase() === name.toLowerCase()
  const isMissing = (name: string) => !all.some((one) => isNamed(one, name))
  if (all.length === 0 || chosen?.some(isMissing)) throw new UnreadCalendarError('no_calendar')
  if (all.length > MAX_CALENDARS) throw new UnreadCalendarError('too_large')
  const text = (response: DavResponse, name: string) => usableToken(property(response, name)?.text)
  return all
    .filter((one) => !chosen || chosen.some((name) => isNamed(one, name)))
    .map((one) => ({
      url: resolved(one.href, list.url),
      ctag: text(one, `${CALENDAR_SERVER} getctag`),
      token: text(one, `${DAV} sync-token`),
    }))
}
