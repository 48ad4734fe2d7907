import { expect, test } from 'vitest'
import { businessWith, service } from '../../support/definitions.ts'
import { deskSalon, tokenOf } from './receptionist.ts'

const { policies, pricing } = service('svc')
const base = businessWith([
  service('svc_paid', {
    pricing: { ...pricing, currency: 'EUR' },
    policies: { ...policies, payment_timing: 'at_booking' },
  }),
])
const { signedIn, booked } = await deskSalon({}, { ...base, business: { ...base.business, currency: 'EUR' } })
const owner = await signedIn('owner')

async function send(path: 'pay' | 'refund', more: Record<string, string>, headers = {}) {
  const { booking } = await booked('svc_paid')
  const page = `/desk/bookings/${booking.id}`
  const sendTo = async (to: string, form: Record<string, string>, language = {}) =>
    owner.send(`${page}/${to}`, { form: tokenOf((await owner.open(page)).body), ...form }, language)
  if (path === 'refund') await sendTo('pay', { amount: '75.00', kind: 'cash' })
  return sendTo(path, more, headers)
}
const fault = (id: string, said: string, example = '12.50') =>
  `<p class="error" id="${id}-error">“${said}” is not an amount in EUR. Write it like ${example}.</p>`

test.each(['amount', 'tip', 'given'])(
  '[49,50 at the till of a euro business] the field %s says why it is refused',
  async (name) => {
    const { status, body } = await send('pay', { amount: '10.00', kind: 'cash', [name]: '49,50' })
    expect(status).toBe(409)
    expect(body).toContain(fault(`pay-${name}`, '49,50'))
    expect(body).toMatch(
      new RegExp(`id="pay-${name}"[^>]* value="49,50" aria-invalid="true" aria-describedby="pay-${name}-error"`),
    )
    expect(body.match(/class="error" id=/g)).toHaveLength(1)
  },
)

test('a refund of 49,50 says beside the field why it is refused', async () => {
  const { status, body } = await send('refund', { amount: '49,50' })
  expect([status, body.includes(fault('amount', '49,50'))]).toEqual([409, true])
})

test('where amounts are written with a comma, 49,50 is taken and 49.50 is explained', async () => {
  const german = { 'accept-language': 'de' }
  expect((await send('pay', { amount: '49,50', kind: 'cash' }, german)).status).toBe(303)
  const { body } = await send('pay', { amount: '49.50', kind: 'cash' }, german)
  expect(body).toContain('„49.50“ ist hier kein Betrag in EUR. Schreiben Sie ihn wie 12,50.')
})
