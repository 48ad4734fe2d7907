import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

/** What somebody else is asked before the change, and how often they were. */
const asked = { times: 0, answers: Promise.resolve('yes') }

const server = await testServer(businessWith([service('svc_a')]), {
  operations: [
    testOperation('ask', {
      effect: 'update',
      output: { type: 'object', properties: { told: { type: 'string' } } },
      prepare: async () => {
        asked.times++
        return asked.answers
      },
      handle: async (_, told) => ({ told: String(told) }),
    }),
    testOperation('look', {
      handle: async ({ db }) => ({ ...(await db.selectFrom('business').select('id').execute()) }),
    }),
    testOperation('vanish', { effect: 'remove', silent: true, summary: () => 'It is gone.' }),
  ],
})
const ask = (key: string) => server.rest('POST', '/ask', {}, { 'idempotency-key': key })

describe('what an operation asks somebody else', () => {
  test('is told to what it then does', async () => {
    expect((await ask('one')).body.told).toBe('yes')
  })

  test('is not asked again for an answer that is given again', async () => {
    const { times } = asked
    const [first, again] = [await ask('two'), await ask('two')]
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(asked.times).toBe(times + 1)
  })

  test('keeps no connection from others, however many wait for it', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    asked.answers = promise
    const waiting = Array.from({ length: 30 }, (_, index) => ask(`many ${index}`))
    await expect.poll(() => asked.times).toBeGreaterThanOrEqual(30)
    expect((await server.rest('POST', '/look', {})).status).toBe(200)
    resolve('at last')
    for (const { status, body } of await Promise.all(waiting)) expect([status, body.told]).toEqual([200, 'at last'])
  })
})

test('a silent success has no body over REST, and the envelope alone over MCP', async () => {
  const { status, headers, body } = await server.rest('POST', '/vanish', {})
  expect([status, body, headers['content-type']]).toEqual([204, '', undefined])
  const { result } = (await server.tool('usp_vanish')).body
  expect(Object.keys(result.structuredContent)).toEqual(['usp'])
  expect(result.content).toEqual([{ type: 'text', text: 'It is gone.' }])
})

test('a silent success that is given again is as silent', async () => {
  const vanish = () => server.rest('POST', '/vanish', {}, { 'idempotency-key': 'gone' })
  await vanish()
  const { status, headers, body } = await vanish()
  expect([status, body, headers['idempotency-replayed']]).toEqual([204, '', 'true'])
})
