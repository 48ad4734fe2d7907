import { beforeEach, expect, test } from 'vitest'
import { unseal } from '../../src/core/keys/encrypt-secrets.ts'
import { numberErase, restOfEmailErase } from '../../src/domain/desk/people/erase-person-by-contact.ts'
import { exportBuyer } from '../../src/domain/desk/people/export-buyer.ts'
import { deleteOldCheckouts } from '../../src/domain/ucp-checkouts/queries.ts'
import { restDesk } from '../support/desk.ts'
import { tokenShop } from './paid-shop.ts'

const shop = await tokenShop()
const { stripe } = shop
const { db } = shop.runtime
const alma = { first_name: 'Almafirst', last_name: 'Almalast', email: 'Alma@Secret.example' }
const rita = { first_name: 'Ritafirst', email: 'rita@secret.example' }
const told = ['Almafirst', 'Almalast', 'Secret.example', 'Ritafirst', 'Almanote']

const create = async (service: string, more: object = {}, booking: object = {}) =>
  (await shop.create(await shop.lastSlot(service), booking, { buyer: alma, ...more })).body
const erase = (email = 'alma@secret.EXAMPLE') =>
  restDesk(shop).call('usp_business_buyers_erase', { email }, { as: shop.staff })
const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)
const statuses = async (id: string) => (await shop.charges(id)).map(({ status }) => status)

/** What the checkouts and the stored replies say. */
const stored = async (): Promise<string[]> => {
  const checkouts = await db.selectFrom('ucp_checkouts').selectAll().execute()
  const replies = await db.selectFrom('replies').select('reply').where('reply', 'is not', null).execute()
  const answers = replies.map(({ reply }) => (reply ? unseal(shop.runtime.replyKey, reply) : ''))
  const text = [JSON.stringify(checkouts), ...answers].join('\n')
  return told.filter((word) => text.includes(word))
}

beforeEach(() => {
  stripe.mood = 'well'
  stripe.beforeAnswer = async () => {}
})

test('the people of a checkout that is not completed are exported and erased', async () => {
  const open = await create('svc_free', {}, { recipient: rita, notes: 'Almanote' })
  const canceled = await create('svc_free')
  await shop.cancel(canceled.id)
  expect(await stored()).toEqual(told)
  const exported = await exportBuyer(db, { email: alma.email }, shop.time.now)
  expect(exported).toMatchObject({ checkouts: { length: 2 } })
  expect(JSON.stringify(exported)).toContain('Almanote')

  expect((await erase()).data).toMatchObject({ booking_ids: [] })
  expect(await stored()).toEqual([])
  expect(await exportBuyer(db, { email: alma.email }, shop.time.now)).toMatchObject({ checkouts: [] })

  const refused = (await shop.complete(open.id)).body
  expect([refused.status, codes(refused)]).toEqual(['incomplete', ['missing']])
  const slot = { ...open.booking.slot, service_id: 'svc_free' }
  expect((await shop.update(open.id, shop.request(slot))).body.status).toBe('ready_for_complete')
  expect((await shop.complete(open.id)).body.status).toBe('completed')
})

test('a recipient is found by the mail address, and a person without one by the number', async () => {
  const first = await create('svc_free', {}, { recipient: rita })
  await erase(rita.email)
  const second = await create('svc_free', { buyer: { first_name: 'Almafirst', phone_number: '+12125550171' } })
  const subject = { phone_number: '+12125550171' }
  expect(await exportBuyer(db, subject, shop.time.now)).toMatchObject({ checkouts: [{ id: second.id }] })
  await shop.runtime.makeChange((tx) => numberErase(tx, subject.phone_number, 'system', shop.time.now))
  expect(await stored()).toEqual([])
  for (const { id } of [first, second]) expect((await shop.get(id)).body.buyer).toBeUndefined()
})

test('a charge goes back if its people are erased before the booking', async () => {
  const before = shop.kept()
  const { id } = await create('svc_paid')
  stripe.beforeAnswer = async ({ path }) => {
    if (!path.endsWith('/confirm')) return
    await shop.runtime.makeChange((tx) => restOfEmailErase(tx, alma.email, 'system', shop.time.now))
  }
  const failed = (await shop.pay(id, stripe.grant())).body
  expect([failed.status, new Set(codes(failed))]).toEqual(['incomplete', new Set(['missing'])])
  expect([await statuses(id), shop.kept() - before]).toEqual([['reversed'], 0])
  expect(await stored()).toEqual([])
  expect((await shop.pay(id, stripe.grant())).body.status).toBe('incomplete')
  expect(await statuses(id)).toEqual(['reversed'])
  await shop.expectSound()
})

test('the people also go after the provider has refused to return a charge', async () => {
  const { id } = await create('svc_paid')
  await shop.pay((await create('svc_paid')).id, stripe.grant())
  const [charge] = await db.selectFrom('ucp_charges').selectAll().orderBy('created_at', 'desc').limit(1).execute()
  if (!charge) throw new Error('There is no charge')
  const unreturned = {
    ...charge,
    id: 'chg_unreturned',
    checkout_id: id,
    reference: null,
    request_key: null,
    problem: null,
  }
  await db
    .insertInto('ucp_charges')
    .values({ ...unreturned, status: 'unreturned' })
    .execute()
  await db.updateTable('ucp_checkouts').set({ status: 'canceled' }).where('id', '=', id).execute()
  const people = () => db.selectFrom('ucp_checkouts').select('people').where('id', '=', id).execute()
  await deleteOldCheckouts(db, shop.time.now)
  expect(await people()).toMatchObject([{ people: { buyer: alma } }])
  await deleteOldCheckouts(db, new Date(shop.time.now.getTime() + 3 * 24 * 3_600_000))
  expect(await people()).toEqual([{ people: null }])
})

test('the stored replies lose their people with the checkout', async () => {
  await erase()
  const slot = await shop.lastSlot('svc_free')
  await shop.send('POST', '/checkout-sessions', shop.request(slot, {}, { buyer: alma }), { key: 'create' })
  expect(await stored()).toContain('Almafirst')
  await deleteOldCheckouts(db, new Date(shop.time.now.getTime() + 3 * 24 * 3_600_000))
  expect(await stored()).toEqual([])
})
