import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

interface Sent {
  to: string
  from: string
  text: string
}

/** A provider on loopback, the messages that it sent, and what it does with the next ones. */
export interface ProviderStandIn {
  url: string
  sent: Sent[]
  calls: number
  /** `lose the answer`: the message is sent, and the connection breaks before the answer. */
  next: 'send' | 'lose the answer' | 'hang up' | { status: number; body?: object }
}

type Read = (body: string, call: { path: string; headers: IncomingHttpHeaders }) => Sent | number
type Answer = (sent: Sent) => { status: number; body: object }

async function standIn(read: Read, answer: Answer): Promise<ProviderStandIn> {
  const provider: ProviderStandIn = { url: '', sent: [], calls: 0, next: 'send' }
  const server = createServer(loopbackCertificate(), async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    provider.calls++
    const { next } = provider
    const reply = (status: number, content: object = {}) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    if (next === 'hang up') return request.socket.destroy()
    if (typeof next === 'object') return reply(next.status, next.body)
    const message = read(body, { path: request.url ?? '', headers: request.headers })
    if (typeof message === 'number') return reply(message)
    provider.sent.push(message)
    if (next === 'lose the answer') return request.socket.destroy()
    const { status, body: content } = answer(message)
    reply(status, content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  provider.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return provider
}

export const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`
export const TOKEN = 'the Auth Token of the tests'

/** Twilio as it documents itself: no message is recognized when it comes again. */
export const twilioStandIn = () =>
  standIn(
    (body, { path, headers }) => {
      if (path !== `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`) return 404
      const proof = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
      if (headers.authorization !== proof) return 401
      const fields = new URLSearchParams(body)
      const from = fields.get('From') ?? fields.get('MessagingServiceSid') ?? ''
      return { to: fields.get('To') ?? '', from, text: fields.get('Body') ?? '' }
    },
    ({ to }) => ({ status: 201, body: { sid: 'SM1', status: 'queued', to, num_segments: '1', price: null } }),
  )

/** A message of a buyer, signed as Twilio documents it, by code of its own: fields sorted by name, each name before its value. */
export function twilioCall(fields: Record<string, string>, { token = TOKEN, url }: { token?: string; url: string }) {
  const text = Object.keys(fields)
    .sort()
    .reduce((all, name) => all + name + fields[name], url)
  return {
    method: 'POST' as const,
    url: '/text-messages/twilio',
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(text).digest('base64'),
    },
  }
}

/** A program of the business: it sends a message once, however often it comes with the same key. */
export function gatewayStandIn() {
  const keys = new Set<string>()
  return standIn(
    (body, { headers }) => {
      if (headers.authorization !== `Bearer ${TOKEN}`) return 401
      const key = String(headers['idempotency-key'])
      if (keys.has(key)) return 200
      keys.add(key)
      const { to, from, text: words } = JSON.parse(body)
      return { to, from, text: words }
    },
    () => ({ status: 202, body: {} }),
  )
}

export const BIRD_ACCOUNT = '0a1b2c3d-0000-4000-8000-000000000001/0a1b2c3d-0000-4000-8000-000000000002'

/** Bird as it documents itself. */
export const birdStandIn = () =>
  standIn(
    (body, { path, headers }) => {
      const [workspace, channel] = BIRD_ACCOUNT.split('/')
      if (path !== `/workspaces/${workspace}/channels/${channel}/messages`) return 404
      if (headers.authorization !== `AccessKey ${TOKEN}`) return 401
      const { receiver, body: content } = JSON.parse(body)
      const [{ identifierKey, identifierValue }] = receiver.contacts
      if (identifierKey !== 'phonenumber' || content.type !== 'text') return 422
      return { to: identifierValue, from: '', text: content.text.text }
    },
    () => ({ status: 202, body: { id: 'a1405560-c8d3-4b1a-877d-3f449ad95352', status: 'accepted' } }),
  )

/** A message of a buyer, signed as Bird documents it, by code of its own. */
export function birdCall(
  payload: object,
  { token = TOKEN, url, at = '1719823259' }: { token?: string; url: string; at?: string },
) {
  const body = JSON.stringify({ service: 'channels', event: 'sms.inbound', payload })
  const signed = Buffer.concat([Buffer.from(`${at}\n${url}\n`), createHash('sha256').update(body).digest()])
  return {
    method: 'POST' as const,
    url: '/text-messages/bird',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'messagebird-request-timestamp': at,
      'messagebird-signature': createHmac('sha256', token).update(signed).digest('base64'),
    },
  }
}

export const birdSettings = ({ url }: ProviderStandIn, more: object = {}) => ({
  ...twilioSettings({ url } as ProviderStandIn),
  adapter: 'bird',
  account: BIRD_ACCOUNT,
  ...more,
})

/** The provider as an owner enters it. */
export const twilioSettings = ({ url }: ProviderStandIn, more: object = {}) => ({
  adapter: 'twilio',
  url,
  account: ACCOUNT,
  secret: TOKEN,
  sender: '+12125550100',
  countries: ['US', 'DE'],
  topics: ['confirmed', 'moved', 'canceled', 'reminder', 'waitlist_offer'],
  daily_limit: 100,
  ...more,
})

export const gatewaySettings = ({ url }: ProviderStandIn, more: object = {}) => ({
  ...twilioSettings({ url } as ProviderStandIn),
  adapter: 'http',
  account: '',
  ...more,
})
