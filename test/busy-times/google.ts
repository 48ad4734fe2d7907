import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { endOf, instancesOf, partial, type StoredEvent, startOf } from './google-events.ts'
import { consentPage, servedOnLoopback } from './provider-stand-in.ts'

export const APP = { client_id: '1234.apps.googleusercontent.com', client_secret: 'GOCSPX-secret of the app' }
const SCOPES = ['calendar.calendarlist.readonly', 'calendar.events.readonly'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
)

interface Calendar {
  id: string
  summary: string
  primary?: boolean
  hidden?: boolean
  events: Map<string, StoredEvent>
  /** Sync tokens of versions before this one are invalid. */
  oldest: number
}

interface Grant {
  account: string
  scopes: string[]
}

interface Channel {
  id: string
  calendar: string
  address: string
  token: string
  resourceId: string
  until: number
}

const noticeOf = ({ id, address, token, resourceId, until }: Channel, state: string) => ({
  method: 'POST' as const,
  url: new URL(address).pathname,
  headers: {
    'x-goog-channel-id': id,
    'x-goog-channel-token': token,
    'x-goog-channel-expiration': new Date(until).toUTCString(),
    'x-goog-resource-id': resourceId,
    'x-goog-resource-state': state,
    'x-goog-message-number': '1',
  },
})

type Json = Record<string, unknown>
type Answer = { status: number; body: Json | string; headers?: Record<string, string> }

/** Google does not send the number of the change. */
const shown = ({ version: _, ...event }: StoredEvent): Json => event

const fault = (status: number, reason: string): Answer => ({
  status,
  body: { error: { code: status, message: reason, errors: [{ domain: 'calendar', reason, message: reason }] } },
})

/** Google forbids these parameters together with a sync token. */
const NOT_WITH_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
]

/**
 * Google, as far as the server uses it: it grants access with OAuth 2.0, and answers about calendars and events as its
 * documentation says. It keeps its state, and refuses calls that the documentation forbids.
 */
export async function googleStandIn() {
  const calendars = new Map<string, Calendar[]>()
  const [codes, refreshTokens, accessTokens] = [
    new Map<string, { grant: Grant; query: URLSearchParams }>(),
    new Map<string, Grant>(),
    new Map<string, Grant>(),
  ]
  let version = 0
  const channels = new Map<string, Channel>()

  /** A change of a calendar goes to all channels that are open. */
  const report = (calendar: string, state = 'exists') => {
    for (const channel of channels.values())
      if (channel.calendar === calendar && channel.until > google.now()) google.notices.push(noticeOf(channel, state))
  }

  const calendarsOf = (account: string): Calendar[] => {
    const known = calendars.get(account) ?? [
      { id: account, summary: account, primary: true, events: new Map<string, StoredEvent>(), oldest: 0 },
    ]
    calendars.set(account, known)
    return known
  }
  const calendarOf = (id: string): Calendar => {
    const found = [...calendars.values()].flat().find((one) => one.id === id)
    if (!found) throw new Error(`There is no calendar ${id}.`)
    return found
  }

  const google = {
    origin: '',
    /** The calls that got an answer: their method and path, without the start that all have. */
    calls: [] as string[],
    queries: [] as URLSearchParams[],
    /** The notices that Google sends: where to, and with which headers. A test takes them there. */
    notices: [] as ReturnType<typeof noticeOf>[],
    /** The open channels. */
    channels: () => [...channels.values()],
    /** The largest page. Google can always send less than it is asked for. */
    pageSize: 2_500,
    app: { ...APP },
    /** The time at Google. */
    now: () => Date.now(),
    /** Answers a call instead of Google. */
    intercept: undefined as
      | ((path: string, query: URLSearchParams) => Answer | undefined | Promise<undefined>)
      | undefined,
    makeCalendar(account: string, summary: string, more: { hidden?: boolean } = {}): string {
      const id = `${summary}-${randomUUID()}@group.calendar.google.com`
      calendarsOf(account).push({ id, summary, events: new Map(), oldest: 0, ...more })
      return id
    },
    removeCalendar(account: string, id: string) {
      calendars.set(
        account,
        calendarsOf(account).filter((one) => one.id !== id),
      )
    },
    /** Writes an event, as its owner does in the program of Google. */
    put(calendar: string, id: string, event: Partial<StoredEvent>) {
      const uid = event.iCalUID ?? `${id}@google.com`
      const { events } = calendarOf(calendar)
      if (!event.recurrence) for (const one of events.values()) if (one.recurringEventId === id) events.delete(one.id)
      events.set(id, {
        ...{ id, status: 'confirmed', iCalUID: uid, summary: 'Dentist, a secret' },
        ...event,
        version: ++version,
      })
      report(calendar)
    },
    /** Changes one instance of a repeating event. */
    putInstance(calendar: string, master: string, nth: number, change: Partial<StoredEvent>): string {
      const { events } = calendarOf(calendar)
      const series = events.get(master)
      if (!series) throw new Error(`There is no event ${master}.`)
      const instance = [...instancesOf(series, Date.UTC(2028, 0))][nth]
      if (!instance) throw new Error('There is no such instance.')
      const known = events.get(instance.id) ?? instance
      events.set(instance.id, { ...known, ...change, version: ++version })
      return instance.id
    },
    remove(calendar: string, id: string) {
      const { events } = calendarOf(calendar)
      const known = events.get(id)
      if (!known) throw new Error(`There is no event ${id}.`)
      // A deleted event keeps only its identity.
      const { recurringEventId, originalStartTime, iCalUID } = known
      const rest =
        recurringEventId === undefined ? {} : { recurringEventId, ...(originalStartTime && { originalStartTime }) }
      events.set(id, { id, status: 'cancelled', iCalUID, ...rest, version: ++version })
      // Its exceptions are deleted with a repeating event.
      if (known.recurrence) for (const one of events.values()) if (one.recurringEventId === id) events.delete(one.id)
    },
    has(calendar: string, id: string, kind?: 'series'): boolean {
      const known = calendarOf(calendar).events.get(id)
      return (
        known !== undefined && known.status !== 'cancelled' && (kind === undefined || known.recurrence !== undefined)
      )
    },
    /** An event disappears, and Google never says so. */
    forget(calendar: string, id: string) {
      calendarOf(calendar).events.delete(id)
    },
    /** The account has only its main calendar, without events, and there are no channels. */
    reset(account: string) {
      channels.clear()
      calendars.delete(account)
      calendarsOf(account)
    },
    /** All sync tokens so far become invalid, as after a change of the access rules. */
    expireTokens(calendar: string) {
      calendarOf(calendar).oldest = ++version
    },
    /** The person removes the access of the app in the settings of the account. */
    revoke(account: string) {
      for (const tokens of [refreshTokens, accessTokens])
        for (const [token, grant] of tokens) if (grant.account === account) tokens.delete(token)
    },
    /** As the browser comes back after the person granted access: the path and query at the desk. */
    comeBack(authorizationUrl: string, account: string, more: { scopes?: string[]; error?: string } = {}): string {
      const query = new URL(authorizationUrl).searchParams
      const { pathname } = new URL(query.get('redirect_uri') ?? '')
      const state = query.get('state') ?? ''
      if (more.error !== undefined) return `${pathname}?${new URLSearchParams({ error: more.error, state })}`
      calendarsOf(account)
      const code = `4/${randomUUID()}`
      codes.set(code, { query, grant: { account, scopes: more.scopes ?? (query.get('scope') ?? '').split(' ') } })
      return `${pathname}?${new URLSearchParams({ state, code, scope: (more.scopes ?? SCOPES).join(' ') })}`
    },
    accessToken(account: string): string {
      calendarsOf(account)
      const token = `ya29.${randomUUID()}`
      accessTokens.set(token, { account, scopes: SCOPES })
      return token
    },
    isValid: (token: string): boolean => refreshTokens.has(token),
    /** A refresh token of an account, as if its owner had granted access. */
    refreshToken(account: string): string {
      calendarsOf(account)
      const token = `1//${randomUUID()}`
      refreshTokens.set(token, { account, scopes: SCOPES })
      return token
    },
  }

  function tokenFor(form: URLSearchParams): Answer {
    const refuse = (status: number, error: string): Answer => ({ status, body: { error, error_description: error } })
    if (form.get('client_id') !== google.app.client_id || form.get('client_secret') !== google.app.client_secret)
      return refuse(401, 'invalid_client')
    const answer = (grant: Grant, more: Json = {}): Answer => {
      const token = `ya29.${randomUUID()}`
      accessTokens.set(token, grant)
      return {
        status: 200,
        body: { access_token: token, expires_in: 3599, scope: grant.scopes.join(' '), token_type: 'Bearer', ...more },
      }
    }
    if (form.get('grant_type') === 'refresh_token') {
      const grant = refreshTokens.get(form.get('refresh_token') ?? '')
      return grant ? answer(grant) : refuse(400, 'invalid_grant')
    }
    const code = form.get('code') ?? ''
    const given = codes.get(code)
    codes.delete(code)
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (!given || given.query.get('code_challenge') !== challenge) return refuse(400, 'invalid_grant')
    if (given.query.get('redirect_uri') !== form.get('redirect_uri')) return refuse(400, 'redirect_uri_mismatch')
    // Without `consent`, Google sends a refresh token only the first time.
    const isOffline = given.query.get('access_type') === 'offline' && given.query.get('prompt') === 'consent'
    if (!isOffline) return answer(given.grant)
    const token = `1//${randomUUID()}`
    refreshTokens.set(token, given.grant)
    return answer(given.grant, { refresh_token: token })
  }

  /** Ends the access of the app to the account of a token. A token that is not known is an error. */
  function revokeAccess(form: URLSearchParams): Answer {
    const token = form.get('token') ?? ''
    const grant = refreshTokens.get(token) ?? accessTokens.get(token)
    if (!grant) return { status: 400, body: { error: 'invalid_token' } }
    google.revoke(grant.account)
    return { status: 200, body: {} }
  }

  /** One page of a list. The token of the next page belongs to the same parameters. */
  function page(items: unknown[], query: URLSearchParams, last: Json): Answer {
    const most = Math.min(google.pageSize, Number(query.get('maxResults') ?? 250))
    const from = Number(query.get('pageToken') ?? 0)
    const more = from + most < items.length ? { nextPageToken: String(from + most) } : last
    const body = partial({ kind: 'calendar#list', items: items.slice(from, from + most), ...more }, query.get('fields'))
    return { status: 200, body: Object(body) }
  }

  function listEvents(calendar: Calendar, query: URLSearchParams): Answer {
    const token = query.get('syncToken')
    // These parameters select a page and members. All others must be the same in each call with a token.
    const fixed = [...query].filter(
      ([name]) => !['syncToken', 'pageToken', 'fields', 'timeMin', 'timeMax'].includes(name),
    )
    const parameters = hash('sha256', JSON.stringify(fixed.toSorted()))
    const isExpanded = query.get('singleEvents') === 'true'
    const [timeMin, timeMax] = ['timeMin', 'timeMax'].map((name) => Date.parse(query.get(name) ?? ''))
    if (token !== null && (NOT_WITH_TOKEN.some((name) => query.has(name)) || query.get('showDeleted') === 'false'))
      return fault(400, 'invalid')
    const [since, of] = (token ?? '').split(' ')
    if (token !== null && of !== parameters) return fault(400, 'undefined behavior')
    if (token !== null && Number(since) < calendar.oldest) return fault(410, 'fullSyncRequired')
    const stored = [...calendar.events.values()]
    const isWanted = (event: StoredEvent) => {
      if (token !== null) return event.version > Number(since)
      if (event.status === 'cancelled') return event.recurringEventId !== undefined && !isExpanded
      const last = event.recurrence ? Number.POSITIVE_INFINITY : endOf(event)
      return !(last <= Number(timeMin)) && !(startOf(event) >= Number(timeMax))
    }
    const items = isExpanded
      ? stored.flatMap((event) => (event.recurrence ? instances(calendar, event, timeMax) : [event])).filter(isWanted)
      : stored.filter(isWanted)
    return page(items.map(shown), query, { nextSyncToken: `${version} ${parameters}` })
  }

  const instances = (calendar: Calendar, master: StoredEvent, timeMax?: number) =>
    [...instancesOf(master, timeMax)].filter(({ id }) => !calendar.events.has(id))

  function listInstances(calendar: Calendar, id: string, query: URLSearchParams): Answer {
    const master = calendar.events.get(id)
    if (!master?.recurrence) return fault(404, 'notFound')
    const [timeMin, timeMax] = ['timeMin', 'timeMax'].map((name) => Date.parse(query.get(name) ?? ''))
    const changed = [...calendar.events.values()].filter(
      (one) => one.recurringEventId === id && one.status !== 'cancelled',
    )
    const all = [...instances(calendar, master, timeMax), ...changed]
    const items = all.filter((one) => !(endOf(one) <= Number(timeMin)) && !(startOf(one) >= Number(timeMax)))
    return page(items.map(shown), query, {})
  }

  /** Opens a channel, for as long as the caller wants, but for a week at most. Without a wish, for an hour. */
  function watch(calendar: Calendar, { id, type, address, token, expiration }: Json): Answer {
    if (type !== 'web_hook' || !String(address).startsWith('https:')) return fault(400, 'push.webhookUrlNotHttps')
    if (!/^[\w\-+/=]{1,64}$/.test(String(id)) || String(token).length > 256) return fault(400, 'invalid')
    if (channels.has(String(id))) return fault(400, 'channelIdNotUnique')
    const until = Math.min(Number(expiration ?? google.now() + 3_600_000), google.now() + 7 * 86_400_000)
    const resourceId = hash('sha256', calendar.id).slice(0, 27)
    channels.set(String(id), {
      id: String(id),
      calendar: calendar.id,
      address: String(address),
      token: String(token),
      resourceId,
      until,
    })
    google.notices.push(noticeOf(channels.get(String(id)) as Channel, 'sync'))
    return {
      status: 200,
      body: { kind: 'api#channel', id: String(id), resourceId, resourceUri: 'x', expiration: String(until) },
    }
  }

  function stop({ id, resourceId }: Json): Answer {
    if (channels.get(String(id))?.resourceId !== resourceId) return fault(404, 'notFound')
    channels.delete(String(id))
    return { status: 204, body: '' }
  }

  function answerTo(path: string, query: URLSearchParams, authorization: string, body: string): Answer {
    const grant = accessTokens.get(authorization.replace('Bearer ', ''))
    if (!grant) return fault(401, 'authError')
    const isList = path === '/users/me/calendarList'
    const needed = SCOPES[isList ? 0 : 1] ?? ''
    if (!grant.scopes.includes(needed)) return fault(403, 'insufficientPermissions')
    const own = calendarsOf(grant.account)
    if (isList)
      return page(
        own
          .filter(({ hidden }) => !hidden || query.get('showHidden') === 'true')
          .map(({ id, summary, primary }) => ({ id, summary, ...(primary && { primary }), accessRole: 'owner' })),
        query,
        { nextSyncToken: 'x' },
      )
    if (path === '/channels/stop') return stop(JSON.parse(body))
    const [, watched] = /^\/calendars\/([^/]+)\/events\/watch$/.exec(path) ?? []
    const toWatch = own.find((one) => watched !== undefined && one.id === decodeURIComponent(watched))
    if (toWatch) return watch(toWatch, JSON.parse(body))
    const [, id = '', event] = /^\/calendars\/([^/]+)\/events(?:\/([^/]+)\/instances)?$/.exec(path) ?? []
    const calendar = own.find((one) => one.id === decodeURIComponent(id))
    if (!calendar) return fault(404, 'notFound')
    return event === undefined ? listEvents(calendar, query) : listInstances(calendar, decodeURIComponent(event), query)
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams: query } = new URL(request.url ?? '', google.origin)
    const body = await text(request).catch(() => '')
    const path = pathname.replace('/calendar/v3', '')
    if (path === '/o/oauth2/v2/auth')
      return consentPage(
        { name: 'Google', allow: 'Continue', comeBack: google.comeBack },
        new URL(request.url ?? '', google.origin),
        body,
        response,
      )
    google.calls.push(path.replace(/\/calendars\/[^/]+/, '').replace(/^\/events\/[^/]+\//, '/events/…/'))
    google.queries.push(query)
    const {
      status,
      body: content,
      headers,
    } = (await google.intercept?.(path, query)) ??
    (path === '/token'
      ? tokenFor(new URLSearchParams(body))
      : path === '/revoke'
        ? revokeAccess(new URLSearchParams(body))
        : answerTo(path, query, request.headers.authorization ?? '', body))
    response
      .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
      .end(typeof content === 'string' ? content : JSON.stringify(content))
  }

  google.origin = `https://${await servedOnLoopback(serve)}`
  return google
}

export type Google = Awaited<ReturnType<typeof googleStandIn>>
