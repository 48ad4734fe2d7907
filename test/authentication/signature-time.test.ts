import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, testKey, testPlatform } from '../support/platform.ts'
import { START, type TestServer, testServer } from '../support/server.ts'
import {
  CALLBACK,
  changed,
  digestOf,
  ORIGIN,
  type Outgoing,
  published,
  SUBSCRIPTIONS,
  send,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

const WINDOW = 300
const open = await testServer(businessWith([service('svc_a')]))
const strict = await testServer(businessWith([service('svc_a')], { authorization: { signature_max_age: WINDOW } }))
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const now = START.getTime() / 1000

const sign = (outgoing: Outgoing, parameters = '') =>
  signed(outgoing, { key: key.private, parameters: `${parameters};keyid="k1"` })
const call = async (server: TestServer, parameters: string) => {
  const before = await stored(server)
  const { status, body } = await send(server, sign(subscribing(platform), parameters))
  if (status !== 201) expect(await stored(server)).toEqual(before)
  return status === 201 ? 'accepted' : `${status} ${body.code}`
}
const expired = '401 signature_expired'

describe('how old a signature may be', () => {
  test.each([
    ['SIG-032', 'no created', ''],
    ['SIG-033', 'a created of an hour ago', `;created=${now - 3600}`],
    ['SIG-033', 'a created of years ago', ';created=1'],
    ['SIG-033', 'a created of an hour to come', `;created=${now + 3600}`],
    ['SIG-033', 'a created of now and an expires to come', `;created=${now};expires=${now + 60}`],
  ])('[%s] a signature with %s is accepted by default', async (_, __, parameters) => {
    expect(await call(open, parameters)).toBe('accepted')
  })

  test('[SIG-034] where a window is configured, an old created has expired', async () => {
    expect(await call(strict, `;created=${now - WINDOW - 1}`)).toBe(expired)
    expect(await call(strict, ';created=0')).toBe(expired)
    expect(await call(strict, ';created=-1')).toBe(expired)
    expect(await call(strict, `;created=${now - WINDOW}`)).toBe('accepted')
    expect(await call(strict, `;created=${now}`)).toBe('accepted')
  })

  test('[SIG-034] where a window is configured, a created in the future would make it longer, and is refused', async () => {
    expect(await call(strict, `;created=${now + 61}`)).toBe('401 signature_invalid')
    expect(await call(strict, `;created=${now + 60}`)).toBe('accepted')
  })

  test('[SIG-034] the window does not stand in for idempotency keys', async () => {
    const again = changed(subscribing(platform), { 'idempotency-key': randomUUID() })
    const first = await send(strict, sign(again, `;created=${now - 10}`))
    const second = await send(strict, sign(again, `;created=${now}`))
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
  })

  test.each(['open', 'strict'])(
    '[SIG-035] [ERR-062] an expires that has passed ends the signature (%s)',
    async (which) => {
      const server = which === 'open' ? open : strict
      for (const expires of [now - 1, 1, 0, -1, '1.5'])
        expect(await call(server, `;created=${now};expires=${expires}`)).toBe(expired)
      expect(await call(server, `;created=${now};expires=${now}`)).toBe('accepted')
      expect(await call(server, `;expires=${now + 1};created=${now}`)).toBe('accepted')
    },
  )

  test('[ERR-062] [ERR-065] an expired signature names its mechanism', async () => {
    const { body } = await send(open, sign(subscribing(platform), ';expires=1'))
    expect(body).toMatchObject({ status: 401, code: 'signature_expired', mechanism: 'http_message_signature' })
  })

  test('[SIG-035] an expired signature stays expired when its expires is changed', async () => {
    const { headers, ...rest } = sign(subscribing(platform), ';expires=1')
    const input = String(headers['signature-input']).replace('expires=1', `expires=${now + 60}`)
    const { body } = await send(open, { ...rest, headers: { ...headers, 'signature-input': input } })
    expect(body.code).toBe('signature_invalid')
  })
})

describe('a signed write that is sent again', () => {
  const counted = async () => (await stored(open))[0]

  test('[SIG-040] to the byte is done once and answered from the record', async () => {
    const write = sign(changed(subscribing(platform), { 'idempotency-key': randomUUID() }), `;created=${now}`)
    const first = await send(open, write)
    const before = await counted()
    const second = await send(open, write)
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect(await counted()).toBe(before)
  })

  test('[SIG-040] twice at once is done once', async () => {
    const wish = subscribing(platform, { callback_url: `${CALLBACK}/at-once` })
    const write = sign(changed(wish, { 'idempotency-key': randomUUID() }))
    const before = Number(await counted())
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(open, write)))
    expect(new Set(answers.map(({ body }) => body.subscription.id)).size).toBe(1)
    expect(await counted()).toBe(before + 1)
  })

  test('[IDM-012] with another signature, agent spelling, trace header or query is a replay', async () => {
    const plain = changed(subscribing(platform), { 'idempotency-key': randomUUID() })
    const first = await send(open, sign(plain, `;created=${now}`))
    const spelled = { 'usp-agent': `${plain.headers['usp-agent']};v=1, by="test"` }
    const spaced = JSON.stringify(JSON.parse(plain.body), null, 2)
    const retries = [
      sign(plain, `;created=${now + 1};nonce="n"`),
      signed(plain, { key: key.private, parameters: ';keyid="k1"', label: 'other' }),
      sign(changed(plain, spelled)),
      sign(changed(plain, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })),
      sign({ ...plain, target: `${plain.target}?trace=1` }),
      sign(changed({ ...plain, body: spaced }, { 'content-digest': digestOf(spaced) })),
      changed(plain, { dpop: restProof(key, 'POST', `${ORIGIN}${SUBSCRIPTIONS}`, START) }),
    ]
    for (const retry of retries) {
      const { body, headers } = await send(open, retry)
      expect([headers['idempotency-replayed'], body]).toEqual(['true', first.body])
    }
    const wish = { callback_url: `${CALLBACK}/2` }
    const other = changed(subscribing(platform, wish), { 'idempotency-key': plain.headers['idempotency-key'] })
    expect((await send(open, sign(other))).body.code).toBe('idempotency_conflict')
  })
})
