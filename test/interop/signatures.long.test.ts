import { createPublicKey, hash, type JsonWebKey, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { buyer } from '../support/desk.ts'
import { signers } from './programs.ts'
import { signingPlatform } from './signing-platform.ts'
import { ask, type Command, installed } from './tools.ts'

const { server, origin, key, receiver, platform } = await signingPlatform()
const base = `${origin}/usp/v1`

interface Message {
  headers: Record<string, string>
  body: string
}

const digest = (body: string) => `sha-256=:${hash('sha256', body, 'base64')}:`
const components = ['@method', '@authority', '@path', 'usp-agent', 'idempotency-key', 'content-digest', 'content-type']

/** Calls the server with a request that the program signed. */
async function send(program: Command, path: string, content: object): Promise<Message & { status: number }> {
  const body = JSON.stringify(content)
  const headers = {
    'usp-agent': `profile="${platform.url}"`,
    'idempotency-key': randomUUID(),
    'content-digest': digest(body),
    'content-type': 'application/json',
  }
  const request = { method: 'POST', url: base + path, headers, body }
  const signature = await ask(program, JSON.stringify({ task: 'sign', ...key, components, ...request }))
  server.time.now = new Date()
  const answer = await fetch(request.url, {
    ...request,
    headers: { ...headers, ...signature, 'accept-encoding': 'identity' },
  })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
}

async function publishedKey(message: Message) {
  const profile = await fetch(new URL('/.well-known/usp', base))
  const { keys }: { keys: (JsonWebKey & { kid: string })[] } = await profile.json()
  const jwk = keys.find(({ kid }) => message.headers['signature-input']?.includes(`keyid="${kid}"`))
  if (!jwk) throw new Error('The profile does not publish the key.')
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
  return { keyid: jwk.kid, pem }
}

/** Expects that the program accepts a message of the server, and refuses it with another body. */
async function expectVerified(program: Command, message: Message) {
  const verifier = { task: 'verify', ...(await publishedKey(message)), ...message }
  const verify = (change: Partial<Message>) => ask(program, JSON.stringify({ ...verifier, ...change }))
  expect(await verify({})).toEqual({ verified: true })
  const body = message.body.replace('Alice', 'Mallory')
  expect(body).not.toBe(message.body)
  expect(await verify({ body })).toEqual({ verified: false })
  const headers = { ...message.headers, 'content-digest': digest(body) }
  expect(await verify({ body, headers })).toEqual({ verified: false })
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function freeSlot() {
  server.time.now = new Date()
  const query = { service_id: 'svc_haircut', start_date: day(2), end_date: day(9) }
  const headers = { 'content-type': 'application/json' }
  const found = await fetch(`${base}/availability/query`, { method: 'POST', headers, body: JSON.stringify(query) })
  const { slots } = await found.json()
  return { service_id: query.service_id, slot_id: slots[0].id }
}

test.for(Object.entries(signers))(
  '[signatures of other libraries] %s signs calls that the server accepts, and verifies the answers and the event',
  async ([, find], context) => {
    const program = await installed(context, find)
    const booked = await send(program, '/bookings', { ...(await freeSlot()), buyer })
    expect(booked).toMatchObject({ status: 201 })
    await expectVerified(program, booked)

    const { booking } = JSON.parse(booked.body)
    const canceled = await send(program, `/bookings/${booking.id}/cancel`, {})
    expect(canceled).toMatchObject({ status: 200 })
    await expectVerified(program, canceled)

    await sendDueEvents(server.runtime)
    const event = receiver.received.find(({ body }) => body.booking_id === booking.id)
    if (!event) throw new Error('The server sent no event about the booking.')
    const headers = Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name, String(value)]))
    await expectVerified(program, {
      ...{ method: event.method, url: receiver.url },
      headers,
      body: event.raw.toString(),
    })
  },
)
