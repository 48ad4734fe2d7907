import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as pass } from 'node:timers/promises'
import { servedOnLoopback } from './provider-stand-in.ts'

export interface Published {
  text: string
  status: number
  /** Whether the answer has an ETag, and a conditional request gets a 304. */
  hasValidators: boolean
  headers: Record<string, string>
  /** Writes the answer instead of the provider. */
  answer?(response: ServerResponse): Promise<unknown>
  requests: { headers: IncomingHttpHeaders; status: number }[]
}

export interface Provider {
  host: string
  /** Publishes a calendar, and returns it and its secret address. */
  publish(text: string, more?: Partial<Published>): Published & { address: string }
}

/** A provider of calendars at an https address on loopback. Like a real one, it answers conditional requests. */
export async function calendarProvider(): Promise<Provider> {
  const calendars = new Map<string, Published>()
  const host = await servedOnLoopback(async (request, response) => {
    const calendar = calendars.get(request.url ?? '')
    if (!calendar) return response.writeHead(404).end('Not found')
    const { text, hasValidators, headers, answer } = calendar
    const etag = `"${hash('sha256', text)}"`
    const isSame = hasValidators && calendar.status === 200 && request.headers['if-none-match'] === etag
    const status = isSame ? 304 : calendar.status
    calendar.requests.push({ headers: request.headers, status })
    if (answer) return answer(response).catch(() => {})
    const all = { 'content-type': 'text/calendar; charset=utf-8', ...(hasValidators && { etag }), ...headers }
    return response.writeHead(status, all).end(isSame ? undefined : text)
  })
  let nth = 0
  return {
    host,
    publish(text, more = {}) {
      const path = `/calendar/secret-${++nth}/basic.ics`
      const published = { text, status: 200, hasValidators: true, headers: {}, requests: [], ...more }
      calendars.set(path, published)
      return Object.assign(published, { address: `https://${host}${path}` })
    },
  }
}

/** Sends a calendar in small pieces, slower than any time limit. */
export async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/calendar' })
  for (;;) {
    response.write('BEGIN:VCALENDAR\r\n')
    await pass(200)
    if (response.destroyed) return
  }
}

/** Sends this number of megabytes of events. */
export async function flood(response: ServerResponse, megabytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/calendar' })
  response.write('BEGIN:VCALENDAR\r\n')
  const line = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270301T080000Z\r\nDURATION:PT1H\r\nEND:VEVENT\r\n'
  const piece = line.repeat(Math.ceil(2 ** 20 / line.length))
  for (let sent = 0; sent < megabytes && !response.destroyed; sent++)
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  response.end('END:VCALENDAR\r\n')
}
