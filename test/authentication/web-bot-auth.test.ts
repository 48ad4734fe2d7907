import { createPublicKey, hash, verify } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { parseDictionary, serializeInnerList } from 'structured-headers'
import { expect, test } from 'vitest'
import { callOutside } from '../../src/core/egress/call-external-url.ts'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { thumbprintOf } from '../../src/core/keys/public-keys.ts'
import { EVERY_DAY } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { type HttpsFront, openHttpsFront } from '../support/https-front.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { SECRET } from '../support/server.ts'
import { ALL_WELL, verified } from '../support/verify-signature.ts'

const DIRECTORY = '/.well-known/http-message-signatures-directory'

/** A class of one place each day: whoever comes second has to wait. */
const classOfOne = service('svc_class', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: EVERY_DAY, starts: '10:00' }],
})

/** A shop with an address at which others find its key. Signatures are made by the time of the machine. */
async function publicShop() {
  const front = await openHttpsFront()
  const shop = await testShop(businessWith([service('svc_a'), classOfOne]), {
    env: { BASE_URL: front.origin, USP_SECRET_KEY: SECRET },
  })
  shop.time.now = new Date()
  front.server = shop
  return { front, shop }
}

const { front: ours, shop: here } = await publicShop()
const { front: theirs, shop: there } = await publicShop()

const list = (to: HttpsFront, from = here) =>
  callOutside(
    `${to.origin}/usp/v1/services/list`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
      timeout: 5_000,
      mostBytes: 100_000,
    },
    from.runtime.config,
  )

/** The first call of a bot has its keys read, while nobody waits. */
const becomesKnown = () =>
  expect
    .poll(async () => {
      await list(theirs)
      return agentsOf(there, 'listServices').at(-1)
    })
    .toBe(ours.host)

const agentsOf = ({ logged }: typeof here, operation: string) =>
  logged
    .map((line) => JSON.parse(line))
    .filter((line) => line.operation === operation)
    .map(({ agent }) => agent)

test('[web bots] the directory has the key, by its thumbprint, and is signed with it for this address alone', async () => {
  const { statusCode, headers, rawPayload, body } = await here.inject({ method: 'GET', url: DIRECTORY })
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/http-message-signatures-directory+json'])
  const { keys } = JSON.parse(body)
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: thumbprintOf(keys[0]), use: 'sig' }])
  const digest = `sha-256=:${hash('sha256', rawPayload, 'base64')}:`
  expect(headers['content-digest']).toBe(digest)
  const input = Object(parseDictionary(String(headers['signature-input'])).get('binding'))
  const [signature] = Object(parseDictionary(String(headers.signature)).get('binding'))
  const now = seconds(here)
  expect(Object.fromEntries(input[1])).toMatchObject({
    ...{ keyid: keys[0].kid, tag: 'http-message-signatures-directory', alg: 'ed25519' },
    ...{ created: now, expires: now + 24 * 60 * 60 },
  })
  const base = `"@authority";req: ${ours.host}\n"content-digest": ${digest}\n"@signature-params": ${serializeInnerList(input)}`
  expect(
    verify(null, Buffer.from(base), createPublicKey({ key: keys[0], format: 'jwk' }), Buffer.from(signature)),
  ).toBe(true)
})

test('[web bots] a server that nobody can reach by https has none', async () => {
  const shop = await testShop(businessWith([service('svc_a')]))
  expect((await shop.raw({ method: 'GET', url: DIRECTORY })).status).toBe(404)
})

test('[web bots] [whose agent it is] one server knows another by its signature, once it has read its keys, which it does once', async () => {
  expect((await list(theirs)).status).toBe(200)
  await expect.poll(() => ours.targets.filter((target) => target === DIRECTORY).length).toBe(1)
  await becomesKnown()
  expect(ours.targets.filter((target) => target === DIRECTORY)).toHaveLength(1)
})

test('[web bots] what a bot signs lets it do nothing, and takes nothing from how it proves who it is', async () => {
  const plain = restDesk(there)
  const [slot] = await plain.slots('svc_a', nextDays(there))
  const signed = (path: string, body: object, headers: Record<string, string>) =>
    callOutside(
      theirs.origin + path,
      {
        method: 'POST',
        timeout: 5_000,
        mostBytes: 100_000,
        body: Buffer.from(JSON.stringify(body)),
        headers: { 'content-type': 'application/json', ...headers },
      },
      here.runtime.config,
    )
  const wish = {
    slot_id: slot.id,
    service_id: 'svc_a',
    buyer: { first_name: 'A', last_name: 'B', email: 'a@example.com' },
  }
  const agent = { 'usp-agent': `profile="${there.platform.profile}"` }
  expect((await signed('/usp/v1/bookings', wish, agent)).status).toBe(401)
  const { status, body } = await signed('/usp/v1/bookings', wish, {
    ...agent,
    authorization: `Bearer ${there.platform.bearer}`,
  })
  expect(status).toBe(201)
  const { id } = JSON.parse(body.toString()).booking
  const read = await plain.call('usp_business_bookings_get', { booking_id: id }, { as: there.staff })
  expect(read.data.changes[0]).toMatchObject({
    action: 'create',
    actor: there.platform.principal,
    detail: { agent: ours.host },
  })
})

test('[web bots] [whose agent it is] the history names the agent beside the caller, but not beside the server itself', async () => {
  await becomesKnown()
  const desk = restDesk(there)
  const [slot] = await desk.slots('svc_class', nextDays(there))
  const { id } = (await desk.book(slot)).data.booking
  const wish = { service_id: 'svc_class', slot_id: slot.id, buyer: { ...buyer, email: 'bob@example.com' } }
  const { entry } = (await desk.call('usp_waitlist_join', wish)).data
  const { status } = await callOutside(
    `${theirs.origin}/usp/v1/bookings/${id}/cancel`,
    {
      method: 'POST',
      timeout: 60_000,
      mostBytes: 100_000,
      body: Buffer.from('{}'),
      headers: {
        'content-type': 'application/json',
        'usp-agent': `profile="${there.platform.profile}"`,
        authorization: `Bearer ${there.platform.bearer}`,
      },
    },
    here.runtime.config,
  )
  expect(status).toBe(200)
  const changesOf = async (tool: string, input: Record<string, string>) =>
    (await desk.call(`usp_business_${tool}_get`, input, { as: there.staff })).data.changes.at(-1)
  expect(await changesOf('bookings', { booking_id: id })).toMatchObject({
    action: 'cancel',
    detail: { agent: ours.host },
  })
  const offer = await changesOf('waitlist', { entry_id: entry.id })
  expect(offer).toMatchObject({ action: 'offer', actor: 'system' })
  expect(offer.detail).not.toHaveProperty('agent')
})

test('[web bots] a signature that is none is passed over, whatever the call', async () => {
  const broken = {
    'signature-agent': 'a="https://127.0.0.1:1"',
    'signature-input': 'a=();tag="web-bot-auth"',
    signature: 'a=:AAAA:',
  }
  expect((await there.rest('POST', '/services/list', {}, broken)).status).toBe(200)
  expect(agentsOf(there, 'listServices').at(-1)).toBeUndefined()
  const asked = {
    ...broken,
    authorization: `Bearer ${there.platform.bearer}`,
    'usp-agent': `profile="${there.platform.profile}"`,
  }
  expect((await there.rest('POST', '/waitlist/list', {}, asked)).status).toBe(200)
})

test.each<[string, RequestListener | undefined]>([
  ['never answers', () => {}],
  ['is down', (_, response) => response.writeHead(503).end()],
  ['is too large', (_, response) => response.end(`{"keys":["${'a'.repeat(70_000)}"]}`)],
  ['moved', (_, response) => response.writeHead(302, { location: `${ours.origin}${DIRECTORY}` }).end()],
  ['is no directory', undefined],
])('[web bots] nobody waits for a directory that %s, and it is asked once', async (_, answer) => {
  const agent = await testPlatform()
  agent.answer = answer
  const headers = {
    'signature-agent': `a="${new URL(agent.url).origin}"`,
    'signature-input': `a=("@authority" "signature-agent";key="a");created=${seconds()};expires=${seconds() + 60};keyid="k";tag="web-bot-auth"`,
    signature: 'a=:AAAA:',
  }
  for (let call = 0; call < 5; call++) {
    const before = performance.now()
    expect((await there.rest('POST', '/services/list', {}, headers)).status).toBe(200)
    expect(performance.now() - before).toBeLessThan(2_000)
  }
  await expect.poll(() => agent.fetched).toBe(1)
  expect(agentsOf(there, 'listServices').at(-1)).toBeUndefined()
})

const seconds = ({ time } = there) => Math.floor(time.now.getTime() / 1000)

test('[web bots] the signature of a request counts for five minutes', async () => {
  const receiver = await testPlatform()
  const inputs: (string | undefined)[] = []
  receiver.answer = ({ headers }, response) => {
    inputs.push(String(headers['signature-input']))
    response.end('{}')
  }
  await callOutside(receiver.url, { timeout: 5_000, mostBytes: 1_000 }, here.runtime.config)
  expect(inputs).toHaveLength(1)
  const [, parameters] = Object(parseDictionary(inputs[0] ?? '').get('bot'))
  const { created, expires, tag } = Object.fromEntries(parameters)
  expect([tag, expires - created]).toEqual(['web-bot-auth', 5 * 60])
})

test('[web bots] events keep the one signature of the business: a library in use verifies no message that has two', async () => {
  const receiver = await testReceiver()
  const published = await testPlatform({ webhook_url: receiver.url })
  const desk = restDesk({ ...here, platform: await here.newPlatform(published.url) })
  const booked = await desk.book((await desk.slots('svc_a', nextDays(here)))[0])
  await desk.cancel(booked.data.booking.id)
  await sendDueEvents(here.runtime)
  const [event] = receiver.received
  if (!event) throw new Error('nothing was sent')
  const { keys } = (await here.rest('GET', '/.well-known/usp')).body
  expect(await verified(event, new URL(receiver.url).host, keys)).toEqual(ALL_WELL)
  expect([...parseDictionary(String(event.headers['signature-input'])).keys()]).toEqual(['sig1'])
})

function nextDays({ time }: typeof here) {
  const day = (days: number) => new Date(time.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return { start_date: day(2), end_date: day(4) }
}
