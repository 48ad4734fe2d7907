import { expect, test } from 'vitest'
import { unseal } from '../../src/core/keys/encrypt-secrets.ts'
import { grantAnswerOf, grantBegin, grantEnd, newTerminalState } from '../../src/core/tokens/grants-for-terminal.ts'
import { MINUTE } from '../../src/infra/time/time-units.ts'
import { googleShop } from './google-shop.ts'

const { shop } = await googleShop()
const { db, calendarKey } = shop.runtime
const PATHS = { google: '/desk/calendars/google/return', microsoft: '/desk/calendars/microsoft/return' }

async function begin(provider = 'google'): Promise<string> {
  const state = newTerminalState()
  await grantBegin(db, { state, provider }, new Date(shop.time.now.getTime() + 10 * MINUTE))
  return state
}

/** The browser comes back from the provider, without a session at the desk. */
async function comeBack(query: Record<string, string>, path = PATHS.google) {
  const { statusCode, body } = await shop.inject({ url: `${path}?${new URLSearchParams(query)}` })
  return { statusCode, body }
}

test('[consent for a terminal] the code reaches the command without a session, and is stored encrypted', async () => {
  const state = await begin()
  const { statusCode, body } = await comeBack({ state, code: '4/code of Ann', scope: 'x' })
  expect([statusCode, body]).toEqual([200, expect.stringContaining('The access to the calendars is granted.')])
  expect(body).not.toContain(state)
  const rows = JSON.stringify(await db.selectFrom('oauth_state').selectAll().execute())
  expect(rows).not.toContain('4/code')
  expect(rows).not.toContain(state)
  const answer = await grantAnswerOf(db, state)
  const code = answer && 'code' in answer ? unseal(calendarKey, Buffer.from(answer.code, 'base64url')) : undefined
  expect(code).toBe('4/code of Ann')
  await grantEnd(db, state)
  expect(await db.selectFrom('oauth_state').select('id').execute()).toEqual([])
})

test('[consent for a terminal] only the first answer counts', async () => {
  const state = await begin()
  await comeBack({ state, code: 'first' })
  const first = await grantAnswerOf(db, state)
  expect((await comeBack({ state, code: 'second' })).statusCode).toBe(409)
  expect((await comeBack({ state, error: 'access_denied' })).statusCode).toBe(409)
  expect(await grantAnswerOf(db, state)).toEqual(first)
})

test('[consent for a terminal] the command learns that the person refused', async () => {
  const state = await begin()
  const { statusCode, body } = await comeBack({ state, error: 'access_denied' })
  expect([statusCode, body]).toEqual([409, expect.stringContaining('Google did not grant access')])
  expect(await grantAnswerOf(db, state)).toEqual({ isRefused: true })
})

test.each([
  ['that nobody made', async () => ({ state: newTerminalState() })],
  ['of another provider', async () => ({ state: await begin('microsoft') })],
  ['that is too old', async () => ({ state: await begin(), minutes: 11 })],
])('[consent for a terminal] a state %s is refused', async (_, made) => {
  const { state, minutes = 0 } = { minutes: undefined, ...(await made()) }
  shop.minutesLater(minutes)
  expect((await comeBack({ state, code: 'x' })).statusCode).toBe(409)
  expect(await grantAnswerOf(db, state)).toBeUndefined()
})

test('[consent for a terminal] other states still need a session', async () => {
  const { statusCode, body } = await comeBack({ state: 'x', code: 'x' })
  expect(statusCode).toBe((await shop.inject({ url: '/desk' })).statusCode)
  expect(body).not.toContain('granted')
})
