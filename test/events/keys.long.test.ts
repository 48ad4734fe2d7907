import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { deriveKey } from '../../src/core/keys/encrypt-secrets.ts'
import { rotateKey, withdrawKey } from '../../src/core/keys/rotate-keys.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { usp } from '../support/process.ts'
import type { Received } from '../support/receiver.ts'
import { ALL_WELL, verified } from '../support/verify-signature.ts'
import { soon, type ToldShop, toldShop } from './told-shop.ts'

const definition = businessWith([service('svc_a')])
const MINUTE = 60
const DAY = 24 * 60 * MINUTE

const served = async (shop: ToldShop) => {
  const { body, headers } = await shop.rest('GET', '/.well-known/usp')
  expect(body.signing_keys ?? body.keys).toEqual(body.keys)
  return {
    keys: body.keys,
    kids: body.keys.map(({ kid }: { kid: string }) => kid),
    maxAge: Number(/max-age=(\d+)/.exec(String(headers['cache-control']))?.[1]),
  }
}
/** The event of a booking that is canceled now. */
const event = async (shop: ToldShop) => {
  const desk = restDesk(shop)
  const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0])).data.booking
  await desk.cancel(id)
  await shop.told()
  const [request] = shop.receiver.received as [Received]
  return { request, kid: /keyid="([^"]+)"/.exec(String(request.headers['signature-input']))?.[1] }
}
const later = (shop: ToldShop, seconds: number) => {
  shop.time.now = new Date(shop.time.now.getTime() + seconds * 1000)
}
const verifies = async (shop: ToldShop, request: Received) =>
  expect(await verified(request, new URL(shop.receiver.url).host, (await served(shop)).keys)).toEqual(ALL_WELL)

test('[SIG-050] [SIG-053] [SIG-054] [SIG-055] [SIG-056] [SIG-057] a new key is published, signs when every kept profile has it, and the old one stays for a week', async () => {
  const shop = await toldShop(definition)
  const [old] = (await served(shop)).kids
  const before = await event(shop)
  expect(before.kid).toBe(old)

  later(shop, MINUTE)
  const fresh = await rotateKey(shop.runtime, shop.time.now)
  const { kids, maxAge } = await served(shop)
  expect(kids).toEqual([old, fresh])
  const during = await event(shop)
  expect(during.kid).toBe(old)
  later(shop, maxAge - 1)
  expect((await event(shop)).kid).toBe(old)
  later(shop, 1)
  const after = await event(shop)
  expect(after.kid).toBe(fresh)
  for (const { request } of [before, during, after]) await verifies(shop, request)

  later(shop, 7 * DAY - 1)
  await runHousekeeping(shop.runtime)
  expect((await served(shop)).kids).toEqual([old, fresh])
  await verifies(shop, during.request)
  later(shop, 1)
  expect((await served(shop)).kids).toEqual([fresh])
  later(shop, DAY)
  await runHousekeeping(shop.runtime)
  expect(await shop.runtime.db.selectFrom('signing_keys').select('kid').execute()).toEqual([{ kid: fresh }])
  await verifies(shop, (await event(shop)).request)
})

test('[SIG-058] a key that others may have is gone at once, on every server that shares the database', async () => {
  const databaseUrl = await freshDatabase()
  const shop = await toldShop(definition, { databaseUrl })
  const { runtime, time } = await testShop(definition, { databaseUrl })
  const [stolen] = (await served(shop)).kids
  expect((await event(shop)).kid).toBe(stolen)

  // The other server withdraws it; this one has it in memory.
  time.now = shop.time.now
  expect(await withdrawKey(runtime, String(stolen), time.now)).toBe(true)
  const { kids } = await served(shop)
  expect(kids).toEqual([expect.not.stringMatching(String(stolen))])
  const next = await event(shop)
  expect([next.kid]).toEqual(kids)
  await verifies(shop, next.request)
  expect(await withdrawKey(runtime, 'none', time.now)).toBe(false)
})

test('[SIG-058] when the old key is withdrawn during a rotation, the new one waits no longer', async () => {
  const shop = await toldShop(definition)
  const [stolen] = (await served(shop)).kids
  const fresh = await rotateKey(shop.runtime, shop.time.now)
  await withdrawKey(shop.runtime, String(stolen), shop.time.now)
  expect((await served(shop)).kids).toEqual([fresh])
  expect((await event(shop)).kid).toBe(fresh)
})

test('[SIG-058] an event that waits for its next attempt is signed by the key that is left', async () => {
  const shop = await toldShop(definition)
  shop.receiver.answer = 500
  const { kid, request } = await event(shop)
  await withdrawKey(shop.runtime, String(kid), shop.time.now)
  shop.receiver.received.length = 0
  later(shop, 30)
  await sendDueEvents(shop.runtime)
  const [again] = shop.receiver.received as [Received]
  expect(again.raw).toEqual(request.raw)
  expect(String(again.headers['signature-input'])).not.toContain(String(kid))
  await verifies(shop, again)
})

test('[SIG-059] a key that is 90 days old is replaced, once, whichever server notices, and the log says so', async () => {
  const shop = await toldShop(definition)
  const [old] = (await served(shop)).kids
  later(shop, 90 * DAY - 1)
  await runHousekeeping(shop.runtime)
  expect((await served(shop)).kids).toEqual([old])
  later(shop, DAY)
  await Promise.all([runHousekeeping(shop.runtime), runHousekeeping(shop.runtime)])
  const { kids } = await served(shop)
  expect(kids).toEqual([old, expect.any(String)])
  expect(shop.logged.join('')).toContain(`"kid":"${kids[1]}"`)
  later(shop, DAY)
  await runHousekeeping(shop.runtime)
  expect((await served(shop)).kids).toEqual(kids)
})

test('[SIG-053] [SIG-056] [SIG-058] [SIG-059] `usp keys` lists, rotates and withdraws, and says which is due', async () => {
  const databaseUrl = await freshDatabase()
  const shop = await testShop(definition, { databaseUrl })
  const { db } = shop.runtime
  const keys = async (...args: string[]) => {
    const env = { DATABASE_URL: databaseUrl, USP_SECRET_KEY: 'a secret key that only the tests know' }
    const running = usp(['keys', ...args], env)
    return { code: await running.ended, output: running.output() }
  }
  await db
    .updateTable('signing_keys')
    .set({ created_at: new Date(Date.now() - 91 * DAY * 1000) })
    .execute()
  const [old] = await db.selectFrom('signing_keys').select('kid').execute()
  expect((await keys('list')).output).toMatch(new RegExp(`${old?.kid}.*now, due for rotation`))
  const { output } = await keys('rotate')
  const fresh = output.split(' ')[0] ?? ''
  const listed = (await keys('list')).output
  expect(listed).toMatch(new RegExp(`${old?.kid}.* now `))
  expect(listed).toMatch(new RegExp(`${fresh}.* soon `))
  expect((await keys('compromise', String(old?.kid))).output).toContain('no longer signs')
  expect((await keys('list')).output).not.toContain(String(old?.kid))
  expect((await keys('list')).output).toMatch(new RegExp(`${fresh}.* now `))
  expect(await keys('compromise', 'none')).toMatchObject({ code: 1, output: expect.stringContaining('no key none') })
  expect(await keys('burn')).toMatchObject({ code: 1, output: expect.stringContaining('Usage') })
})

test('[a secret that opens nothing changes no key] `usp keys` refuses it, and what it left behind can be withdrawn', async () => {
  const databaseUrl = await freshDatabase()
  const shop = await testShop(definition, { databaseUrl })
  const { db, signingBox } = shop.runtime
  const kids = async () => (await db.selectFrom('signing_keys').select('kid').execute()).map(({ kid }) => kid)
  const before = await kids()
  const foreign = deriveKey('a secret key of some other installation', 'signing keys')
  await expect(rotateKey({ db, signingBox: foreign }, shop.time.now)).rejects.toThrow('USP_SECRET_KEY does not open')
  await expect(withdrawKey({ db, signingBox: foreign }, String(before[0]), shop.time.now)).resolves.toBe(true)
  expect(await kids()).toHaveLength(1)
  await expect(rotateKey({ db, signingBox }, shop.time.now)).rejects.toThrow('USP_SECRET_KEY does not open')
  await withdrawKey({ db, signingBox }, String((await kids())[0]), shop.time.now)
  await rotateKey({ db, signingBox }, shop.time.now)
  expect(await kids()).toHaveLength(2)
})
