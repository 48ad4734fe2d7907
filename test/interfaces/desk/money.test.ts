import { expect, test } from 'vitest'
import { roles } from '../../../src/protocol/caller-types.ts'
import { deskSalon, tokenOf } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const { db } = shop.runtime
const owner = await signedIn('owner')
const page = (id: string) => `/desk/bookings/${id}`
const rows = (id: string) =>
  db
    .selectFrom('payments')
    .select(['amount', 'tip', 'kind', 'returned'])
    .where('booking_id', '=', id)
    .orderBy('number')
    .execute()
const paying = async (id: string, more: Record<string, string>, one = owner) => ({
  form: tokenOf((await one.open(page(id))).body),
  amount: '75.00',
  ...more,
})
const pay = async (id: string, more: Record<string, string>, one = owner, headers = {}) =>
  one.send(`${page(id)}/pay`, await paying(id, more, one), headers)
const text = (body: string) =>
  body
    .slice(body.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('who pays cash is told their change, with the tip, and part of what is due leaves the rest due', async () => {
  const { booking } = await booked('svc_paid')
  const shown = (await owner.open(page(booking.id))).body
  expect(shown).toContain('Take payment · $75.00')
  expect(shown).toContain('name="amount" inputmode="decimal" autocomplete="off" maxlength="20" value="75.00"')
  const { headers } = await pay(booking.id, { amount: '50', tip: '2.50', given: '60.00', kind: 'cash' })
  const after = text((await owner.open(headers.location ?? '')).body)
  expect(after).toContain('Payment received Cash: $50.00 · Tip: $2.50 Change: $7.50')
  expect(after).toContain('Take payment · $25.00')
  // Cash is given by whoever pays so; the rest is paid otherwise.
  await pay(booking.id, { amount: '25.00', given: '10', kind: 'card' })
  expect(await rows(booking.id)).toEqual([
    { amount: '5000', tip: '250', kind: 'cash', returned: '0' },
    { amount: '2500', tip: '0', kind: 'card', returned: '0' },
  ])
  const paid = (await owner.open(page(booking.id))).body
  expect(paid).toContain('<summary>Add a tip</summary>')
  await pay(booking.id, { amount: '', tip: '5.00', kind: 'card' })
  expect((await rows(booking.id)).at(-1)).toMatchObject({ amount: '0', tip: '500' })
})

test('[one form, one effect] a form that is sent twice takes money once, also at the same moment, and with other amounts it takes none', async () => {
  const { booking } = await booked('svc_paid')
  const form = await paying(booking.id, { amount: '10.00', kind: 'cash' })
  const sent = await Promise.all([1, 2, 3].map(() => owner.send(`${page(booking.id)}/pay`, form)))
  expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
  const other = await owner.send(`${page(booking.id)}/pay`, { ...form, amount: '20.00' })
  expect([other.status, other.body.includes('This form was already sent')]).toEqual([409, true])
  expect(await rows(booking.id)).toHaveLength(1)
  const stolen = await owner.send(`${page(booking.id)}/pay`, { ...form, form: 'made up' })
  expect([stolen.status, (await rows(booking.id)).length]).toEqual([422, 1])
})

test.each<[Record<string, string>, string]>([
  [{ amount: '75,00' }, 'Amount : Write it like 12.50.'],
  [{ amount: '75.001' }, 'Write it like 12.50.'],
  [{ amount: '-1' }, 'Write it like 12.50.'],
  [{ amount: '', tip: '' }, 'Write it like 12.50.'],
  [{ amount: '75.01' }, 'Only $75.00 is due.'],
  [{ given: '74.99' }, 'The cash received is less than $78.25.'],
  [{ tip: '1e3' }, 'Tip : Write it like 12.50.'],
  [{ kind: 'gold' }, 'Choose how the customer paid.'],
])('%j takes nothing, and what was written stays', async (wrong, told) => {
  const { booking } = await booked('svc_paid')
  const { status, body } = await pay(booking.id, { kind: 'cash', tip: '3.25', ...wrong })
  expect([status, text(body).includes(told), body.includes('<details open>')]).toEqual([409, true, true])
  expect(body).toContain(`value="${wrong.tip ?? '3.25'}"`)
  expect(await rows(booking.id)).toEqual([])
  await owner.send(page(booking.id), { do: 'cancel' })
})

test('amounts are read as the page writes them', async () => {
  const { booking } = await booked('svc_paid')
  const german = { 'accept-language': 'de' }
  expect((await pay(booking.id, { amount: '75.00', kind: 'cash' }, owner, german)).body).toContain(
    'Schreiben Sie ihn wie 12,50',
  )
  expect((await pay(booking.id, { amount: '75,00', kind: 'cash' }, owner, german)).status).toBe(303)
  expect(await rows(booking.id)).toMatchObject([{ amount: '7500' }])
})

test('a refund is asked once more, with the way it goes back, and is given once', async () => {
  const { booking } = await booked('svc_paid')
  await pay(booking.id, { amount: '50.00', kind: 'cash' })
  await pay(booking.id, { amount: '25.00', tip: '9.00', kind: 'card' })
  const there = `${page(booking.id)}/refund`
  expect((await owner.open(page(booking.id))).body).toContain(`href="${there}"`)
  expect(text((await owner.open(page(booking.id))).body)).toContain(
    'The customer gets back the full amount paid: $75.00.',
  )
  expect((await owner.open(there)).body).toContain('value="75.00"')
  for (const [amount, told] of [
    ['75.01', '<a href="#amount">Amount</a>: You can refund at most $75.00.'],
    ['75.01', 'aria-describedby="amount-error"'],
    ['12,50', 'Write it like 12.50.'],
  ] as const) {
    const { status, body } = await owner.send(there, { amount })
    expect([status, body.includes(told)]).toEqual([409, true])
  }
  const { body } = await owner.send(there, { amount: '30.00' })
  expect(text(body)).toContain('Refund $30.00?')
  expect(text(body)).toMatch(/Card: \$25\.00 Refund by hand Cash: \$5\.00 Refund by hand/)
  expect((await rows(booking.id)).map(({ returned }) => returned)).toEqual(['0', '0'])
  const form = { amount: '30.00', sure: 'yes', form: tokenOf(body) }
  for (const _ of [1, 2]) expect((await owner.send(there, form)).status).toBe(303)
  expect((await rows(booking.id)).map(({ returned }) => returned)).toEqual(['500', '2500'])
})

test('the takings of a day by kind and person, and as a file whose names are no formulas', async () => {
  shop.time.now = new Date('2026-11-22T15:00:00Z')
  const one = await signedIn('owner')
  await db.updateTable('staff').set({ name: '=1+1' }).where('id', '=', one.who.id).execute()
  const { booking } = await booked('svc_paid')
  await pay(booking.id, { amount: '60.00', tip: '1.50', kind: 'voucher' }, one)
  const { body } = await one.open('/desk/money')
  expect(body).toContain('<a href="/desk/money" aria-current="page">Takings</a>')
  expect(text(body)).toContain('Voucher $60.00 $1.50 $0.00 Total $60.00 $1.50 $0.00')
  expect(text(body)).toContain('=1+1 $60.00 $1.50 $0.00')
  expect(text((await one.open('/desk/money?from=2026-11-21&to=2026-11-21')).body)).toContain('Nothing found.')
  const file = await one.open('/desk/money.csv')
  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="2026-11-22-2026-11-22.csv"',
  })
  expect(file.body).toBe(
    '"Day","Payment method","Received by","Payments","Received","Tips","Refunded","Currency"\r\n' +
      `"2026-11-22","Voucher","'=1+1",1,60.00,1.50,0.00,"USD"\r\n`,
  )
  for (const [from, to] of [
    ['2026-11-22', '2026-11-21'],
    ['2024-01-01', '2026-11-22'],
  ]) {
    const refused = await one.open(`/desk/money?from=${from}&to=${to}`)
    expect([refused.status, refused.body.includes('Choose at most 366 days')]).toEqual([409, true])
    expect((await one.open(`/desk/money.csv?from=${from}&to=${to}`)).status).toBe(404)
  }
})

test('who is not signed in has none of it', async () => {
  const nobody = (await import('../../oauth/browser.ts')).browser(shop)
  expect((await nobody.visit('GET', '/desk/money.csv')).headers['content-type']).toContain('text/html')
})

test.each(roles)('[role by role] what a %s may not do with money is neither shown nor possible', async (role) => {
  const one = await signedIn(role)
  const { booking } = await booked('svc_paid')
  const [mayPay, mayManage] = [role !== 'viewer', role === 'owner' || role === 'manager']
  const shown = async () => (await one.open(page(booking.id))).body
  expect((await shown()).includes('Take payment')).toBe(mayPay)
  const form = await paying(booking.id, { amount: '40.00', kind: 'cash' }, one)
  expect((await one.send(`${page(booking.id)}/pay`, form)).status).toBe(mayPay ? 303 : 403)
  expect(await rows(booking.id)).toHaveLength(mayPay ? 1 : 0)
  await pay(booking.id, { amount: '10.00', kind: 'card' })
  const there = `${page(booking.id)}/refund`
  expect((await shown()).includes(there)).toBe(mayManage)
  for (const answer of [await one.open(there), await one.send(there, { amount: '1.00' })])
    expect(answer.status).toBe(mayManage ? 200 : 403)
  expect((await one.open('/desk')).body.includes('/desk/money')).toBe(mayManage)
  for (const path of ['/desk/money', '/desk/money.csv'])
    expect((await one.open(path)).status).toBe(mayManage ? 200 : 403)
})
