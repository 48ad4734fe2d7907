import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { consentPage, servedOnLoopback } from './provider-stand-in.ts'

export const APP = { client_id: '6f1b2c3d-app', client_secret: 'Q~secret of the app' }
const READ = 'https://graph.microsoft.com/Calendars.Read'
const DAY_MS = 86_400_000

/** An event as Microsoft stores it. Its times are in UTC. A series repeats each day. */
export interface MicrosoftEvent {
  start: string
  end: string
  isAllDay?: boolean
  isCancelled?: boolean
  showAs?: string
  response?: string
  iCalUId?: string
  /** The number of daily repetitions. */
  times?: number
}

interface Stored extends MicrosoftEvent {
  id: string
  version: number
  isDeleted: boolean
  /** Repetitions that are deleted, or at another time, by their number. */
  exceptions: Map<number, MicrosoftEvent | 'deleted'>
}

interface Calendar {
  id: string
  name: string
  owner: string
  isDefault: boolean
  events: Map<string, Stored>
  /** Positions before this version are lost. */
  oldest: number
}

interface Subscription {
  id: string
  calendar: string
  notificationUrl: string
  clientState: string
  expires: number
}

type Json = Record<string, unknown>
type Answer = { status: number; body: Json | string; headers?: Record<string, string> }

const fault = (status: number, code: string): Answer => ({ status, body: { error: { code, message: code } } })

const shifted = (time: string, days: number): string =>
  new Date(Date.parse(`${time}Z`) + days * DAY_MS).toISOString().slice(0, 19)

/**
 * Microsoft, as far as the server uses it: it grants access with OAuth 2.0, and answers about calendars and events like
 * Microsoft Graph. It keeps its state, and refuses calls that the documentation forbids.
 */
export async function microsoftStandIn() {
  const calendars = new Map<string, Calendar[]>()
  const [codes, refreshTokens, accessTokens] = [
    new Map<string, { account: string; query: URLSearchParams }>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ]
  const subscriptions = new Map<string, Subscription>()
  let version = 0

  const calendarsOf = (account: string): Calendar[] => {
    const known = calendars.get(account) ?? [
      {
        id: `main-${hash('sha256', account).slice(0, 20)}=`,
        name: 'Calendar',
        owner: account,
        isDefault: true,
        events: new Map(),
        oldest: 0,
      },
    ]
    calendars.set(account, known)
    return known
  }
  const calendarOf = (id: string): Calendar => {
    const found = [...calendars.values()].flat().find((one) => one.id === id)
    if (!found) throw new Error(`There is no calendar ${id}.`)
    return found
  }
  const report = (calendar: string) => {
    for (const one of subscriptions.values())
      if (one.calendar === calendar && one.expires > microsoft.now()) microsoft.notices.push(noticeOf(one))
  }
  const change = (calendar: string, id: string, work: (event: Stored) => void) => {
    const event = calendarOf(calendar).events.get(id)
    if (!event) throw new Error(`There is no event ${id}.`)
    work(event)
    event.version = ++version
    report(calendar)
  }

  const microsoft = {
    origin: '',
    calls: [] as string[],
    urls: [] as URL[],
    notices: [] as ReturnType<typeof noticeOf>[],
    subscriptions: () => [...subscriptions.values()],
    pageSize: 500,
    app: { ...APP },
    now: () => Date.now(),
    /** Calls the address for notices, as Microsoft does before it accepts a subscription. */
    reach: undefined as ((url: string) => Promise<{ status: number; type: string; body: string }>) | undefined,
    intercept: undefined as ((path: string, url: URL) => Answer | undefined | Promise<undefined>) | undefined,
    main: (account: string): string => calendarsOf(account)[0]?.id ?? '',
    makeCalendar(account: string, name: string): string {
      const id = `${name}-${randomUUID()}=`
      calendarsOf(account).push({ id, name, owner: account, isDefault: false, events: new Map(), oldest: 0 })
      return id
    },
    removeCalendar(account: string, id: string) {
      calendars.set(
        account,
        calendarsOf(account).filter((one) => one.id !== id),
      )
    },
    put(calendar: string, id: string, event: MicrosoftEvent) {
      const stored = { ...event, id, version: ++version, isDeleted: false, exceptions: new Map() }
      calendarOf(calendar).events.set(id, stored)
      report(calendar)
    },
    putOccurrence(calendar: string, id: string, nth: number, event: MicrosoftEvent | 'deleted') {
      change(calendar, id, ({ exceptions }) => exceptions.set(nth, event))
    },
    remove(calendar: string, id: string) {
      change(calendar, id, (event) => {
        event.isDeleted = true
      })
    },
    has: (calendar: string, id: string): boolean => calendarOf(calendar).events.get(id)?.isDeleted === false,
    isSeries: (calendar: string, id: string): boolean => calendarOf(calendar).events.get(id)?.times !== undefined,
    reset(account: string) {
      subscriptions.clear()
      calendars.delete(account)
      calendarsOf(account)
    },
    loseState(calendar: string) {
      calendarOf(calendar).oldest = ++version
    },
    revoke(account: string) {
      for (const tokens of [refreshTokens, accessTokens])
        for (const [token, owner] of tokens) if (owner === account) tokens.delete(token)
    },
    comeBack(authorizationUrl: string, account: string, more: { error?: string } = {}): string {
      const query = new URL(authorizationUrl).searchParams
      const { pathname } = new URL(query.get('redirect_uri') ?? '')
      const state = query.get('state') ?? ''
      if (more.error !== undefined) return `${pathname}?${new URLSearchParams({ error: more.error, state })}`
      calendarsOf(account)
      const code = `M.C5_${randomUUID()}`
      codes.set(code, { account, query })
      return `${pathname}?${new URLSearchParams({ code, state, session_state: 'x' })}`
    },
    refreshToken(account: string): string {
      calendarsOf(account)
      const token = `0.AX${randomUUID()}`
      refreshTokens.set(token, account)
      return token
    },
    accessToken(account: string): string {
      calendarsOf(account)
      const token = `eyJ0${randomUUID()}`
      accessTokens.set(token, account)
      return token
    },
    /** Only this refresh token of its account is valid from now on. */
    expireAllBut(token: string) {
      const account = refreshTokens.get(token)
      for (const [one, owner] of refreshTokens) if (owner === account && one !== token) refreshTokens.delete(one)
    },
    newestToken: (account: string): string | undefined =>
      [...refreshTokens].findLast(([, owner]) => owner === account)?.[0],
  }

  function tokenFor(form: URLSearchParams): Answer {
    const refuse = (status: number, error: string): Answer => ({
      status,
      body: { error, error_description: `AADSTS ${error}` },
    })
    if (form.get('client_id') !== microsoft.app.client_id || form.get('client_secret') !== microsoft.app.client_secret)
      return refuse(401, 'invalid_client')
    const answer = (account: string): Answer => {
      const token = `eyJ0${randomUUID()}`
      accessTokens.set(token, account)
      const scope = 'Calendars.Read openid profile'
      return {
        status: 200,
        body: {
          token_type: 'Bearer',
          scope,
          expires_in: 3599,
          access_token: token,
          refresh_token: microsoft.refreshToken(account),
        },
      }
    }
    if (form.get('grant_type') === 'refresh_token') {
      const account = refreshTokens.get(form.get('refresh_token') ?? '')
      return account === undefined ? refuse(400, 'invalid_grant') : answer(account)
    }
    const code = form.get('code') ?? ''
    const given = codes.get(code)
    codes.delete(code)
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (!given || given.query.get('code_challenge') !== challenge) return refuse(400, 'invalid_grant')
    if (given.query.get('redirect_uri') !== form.get('redirect_uri')) return refuse(400, 'invalid_grant')
    const scopes = given.query.get('scope')?.split(' ') ?? []
    if (!scopes.includes('offline_access') || !scopes.includes(READ)) return refuse(400, 'invalid_scope')
    return answer(given.account)
  }

  /** All members of an event, also its texts. */
  const whole = (event: MicrosoftEvent, id: string, more: Json = {}): Json => ({
    '@odata.etag': `W/"${version}"`,
    id,
    subject: 'Dentist, a secret',
    body: { contentType: 'text', content: 'A secret text. '.repeat(200) },
    attendees: [{ emailAddress: { address: 'secret@example.com' } }],
    iCalUId: event.iCalUId ?? `040000008200E00074C5B7101A82E008${hash('sha256', id).slice(0, 24).toUpperCase()}`,
    isAllDay: event.isAllDay ?? false,
    isCancelled: event.isCancelled ?? false,
    showAs: event.showAs ?? 'busy',
    responseStatus: { response: event.response ?? 'organizer' },
    start: { dateTime: `${event.start}.0000000`, timeZone: 'UTC' },
    end: { dateTime: `${event.end}.0000000`, timeZone: 'UTC' },
    ...more,
  })

  /** The single events and the repetitions in a range, as a list of events gives them. */
  function inRange({ events }: Calendar, from: number, to: number): { stored: Stored; item: Json }[] {
    const isIn = ({ start, end }: MicrosoftEvent) => Date.parse(`${end}Z`) > from && Date.parse(`${start}Z`) < to
    return [...events.values()]
      .filter(({ isDeleted }) => !isDeleted)
      .flatMap((stored) => {
        if (stored.times === undefined)
          return isIn(stored) ? [{ stored, item: whole(stored, stored.id, { type: 'singleInstance' }) }] : []
        return Array.from({ length: stored.times }, (_, nth) => nth).flatMap((nth) => {
          const exception = stored.exceptions.get(nth)
          if (exception === 'deleted') return []
          const { times: _times, ...usual } = stored
          const event = exception ?? { ...usual, start: shifted(stored.start, nth), end: shifted(stored.end, nth) }
          const more = { seriesMasterId: stored.id, type: exception ? 'exception' : 'occurrence' }
          return isIn(event) ? [{ stored, item: whole(event, `${stored.id}.${nth}`, more) }] : []
        })
      })
  }

  const page = (items: Json[], url: URL, most: number, link: (from: number) => string, end: Json): Answer => {
    const from = Number(url.searchParams.get('from') ?? 0)
    const isLast = from + most >= items.length
    const rest = isLast ? end : { '@odata.nextLink': link(from + most) }
    return { status: 200, body: { '@odata.context': 'x', value: items.slice(from, from + most), ...rest } }
  }

  function changes(calendar: Calendar, url: URL, most: number): Answer {
    const query = url.searchParams
    const token = query.get('$deltatoken') ?? query.get('$skiptoken')
    if (query.has('$select') || query.has('$filter') || query.has('$top')) return fault(400, 'ErrorInvalidUrlQuery')
    if (token !== null && query.has('startDateTime')) return fault(400, 'ErrorInvalidUrlQuery')
    const [since = '0', from = '', to = ''] = (
      token ?? `0 ${query.get('startDateTime')} ${query.get('endDateTime')}`
    ).split(' ')
    if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) return fault(400, 'ErrorInvalidParameter')
    if (Number(since) > 0 && Number(since) < calendar.oldest) return fault(410, 'SyncStateNotFound')
    const isNew = ({ version: written }: Stored) => written > Number(since)
    const gone = [...calendar.events.values()]
      .filter((event) => event.isDeleted && isNew(event) && Number(since) > 0)
      .map(({ id }) => ({ id, '@removed': { reason: 'deleted' } }))
    const listed = inRange(calendar, Date.parse(from), Date.parse(to)).filter(({ stored }) => isNew(stored))
    // A list of changes has only the times of a repetition. A deleted repetition is not in it, but its series is.
    const short = ({ item }: (typeof listed)[number]): Json =>
      item.type === 'occurrence'
        ? { id: item.id, seriesMasterId: item.seriesMasterId, type: item.type, start: item.start, end: item.end }
        : item
    const masters = [...new Set(listed.map(({ stored }) => stored))]
      .filter(({ times }) => times !== undefined)
      .map((stored) => whole(stored, stored.id, { type: 'seriesMaster' }))
    const base = `${microsoft.origin}${url.pathname}`
    const skip = (next: number) => `${base}?$skiptoken=${encodeURIComponent(`${since} ${from} ${to}`)}&from=${next}`
    const end = { '@odata.deltaLink': `${base}?$deltatoken=${encodeURIComponent(`${version} ${from} ${to}`)}` }
    return page([...gone, ...masters, ...listed.map(short)], url, most, skip, end)
  }

  function view(calendar: Calendar, url: URL, most: number, isUtc: boolean): Answer {
    const query = url.searchParams
    const [from, to] = ['startDateTime', 'endDateTime'].map((name) => Date.parse(query.get(name) ?? ''))
    if (Number.isNaN(from) || Number.isNaN(to)) return fault(400, 'ErrorInvalidParameter')
    const wanted = query.get('$select')?.split(',')
    const items = inRange(calendar, Number(from), Number(to)).map(({ item }) => ({
      ...(wanted ? Object.fromEntries(Object.entries(item).filter(([name]) => wanted.includes(name))) : item),
      ...(!isUtc && { start: { dateTime: '2026-11-24T01:00:00.0000000', timeZone: 'Pacific Standard Time' } }),
    }))
    const next = (start: number) => {
      const link = new URL(url)
      link.searchParams.set('from', String(start))
      return link.href
    }
    return page(items, url, Math.min(most, Number(query.get('$top') ?? 10)), next, {})
  }

  async function subscribe({
    changeType,
    notificationUrl,
    resource,
    expirationDateTime,
    clientState,
  }: Json): Promise<Answer> {
    const [, calendar = ''] = /^\/me\/calendars\/([^/]+)\/events$/.exec(String(resource)) ?? []
    const expires = Date.parse(String(expirationDateTime))
    if (changeType !== 'created,updated,deleted' || !(expires <= microsoft.now() + 4_230 * 60_000))
      return fault(400, 'ExtensionError')
    if (!String(notificationUrl).startsWith('https:') || String(clientState).length > 128)
      return fault(400, 'InvalidRequest')
    const token = `Validation: Testing client application reachability, ${randomUUID()} & more`
    const { pathname } = new URL(String(notificationUrl))
    const said = await microsoft.reach?.(`${pathname}?validationToken=${encodeURIComponent(token)}`)
    if (said?.status !== 200 || said.body !== token || !said.type.startsWith('text/plain'))
      return fault(400, 'ValidationError')
    const id = randomUUID()
    subscriptions.set(id, {
      id,
      calendar: calendarOf(calendar).id,
      notificationUrl: String(notificationUrl),
      clientState: String(clientState),
      expires,
    })
    return { status: 201, body: { id, resource, expirationDateTime, clientState } }
  }

  function renew(id: string, { expirationDateTime }: Json): Answer {
    const known = subscriptions.get(id)
    if (!known || known.expires <= microsoft.now()) return fault(404, 'ResourceNotFound')
    known.expires = Date.parse(String(expirationDateTime))
    return { status: 200, body: { id, expirationDateTime } }
  }

  async function answerTo(request: IncomingMessage, url: URL, body: string): Promise<Answer> {
    const path = url.pathname.replace('/v1.0', '')
    const account = accessTokens.get(String(request.headers.authorization).replace('Bearer ', ''))
    if (account === undefined) return fault(401, 'InvalidAuthenticationToken')
    const prefer = String(request.headers.prefer)
    const most = Math.min(microsoft.pageSize, Number(/odata\.maxpagesize=(\d+)/.exec(prefer)?.[1] ?? 10))
    if (path === '/subscriptions') return subscribe(JSON.parse(body))
    const [, subscription] = /^\/subscriptions\/([^/]+)$/.exec(path) ?? []
    if (subscription !== undefined && request.method === 'DELETE')
      return subscriptions.delete(subscription) ? { status: 204, body: '' } : fault(404, 'ResourceNotFound')
    if (subscription !== undefined) return renew(subscription, JSON.parse(body))
    if (path === '/me/calendars') {
      const items = calendarsOf(account).map(({ id, name, owner, isDefault }) => ({
        ...{ id, name, isDefaultCalendar: isDefault, owner: { name: 'Ann', address: owner } },
      }))
      const next = (from: number) => `${microsoft.origin}/v1.0/me/calendars?from=${from}`
      return page(items, url, most, next, {})
    }
    const [, id = '', delta] = /^\/me\/calendars\/([^/]+)\/calendarView(\/delta)?$/.exec(path) ?? []
    const calendar = calendarsOf(account).find((one) => one.id === decodeURIComponent(id))
    if (!calendar) return fault(404, 'ErrorItemNotFound')
    return delta ? changes(calendar, url, most) : view(calendar, url, most, prefer.includes('outlook.timezone="UTC"'))
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', microsoft.origin)
    const body = await text(request).catch(() => '')
    if (url.pathname.endsWith('/authorize'))
      return consentPage({ name: 'Microsoft', allow: 'Accept', comeBack: microsoft.comeBack }, url, body, response)
    const path = url.pathname.replace('/v1.0', '').replace(/\/me\/calendars\/[^/]+/, '')
    microsoft.calls.push(path.replace(/^\/subscriptions\/.+/, '/subscriptions/…'))
    microsoft.urls.push(url)
    const {
      status,
      body: content,
      headers,
    } = (await microsoft.intercept?.(path, url)) ??
    (url.pathname.endsWith('/token') ? tokenFor(new URLSearchParams(body)) : await answerTo(request, url, body))
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(typeof content === 'string' ? content : JSON.stringify(content))
  }

  microsoft.origin = `https://${await servedOnLoopback(serve)}`
  return microsoft
}

export type Microsoft = Awaited<ReturnType<typeof microsoftStandIn>>

const noticeOf = ({ id, notificationUrl, clientState, calendar }: Subscription) => ({
  method: 'POST' as const,
  url: new URL(notificationUrl).pathname,
  headers: { 'content-type': 'application/json' },
  payload: {
    value: [
      {
        subscriptionId: id,
        clientState,
        changeType: 'updated',
        resource: `me/calendars/${calendar}/events/x`,
        tenantId: 'x',
      },
    ],
  },
})
