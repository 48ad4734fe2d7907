import { expect, test } from 'vitest'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { paidShop } from '../payments/shop.ts'

const { shop, desk, stripe, bookedAndPaid, aMinuteLater } = await paidShop()
const { db, business, letters } = shop.runtime

test('what the provider will not give back the staff are told once, and nobody else', async () => {
  const definition = await business.get()
  if (!definition) throw new Error('There is no business')
  const talking = { ...definition, mails: { staff: ['desk@studio.example'] } }
  await shop.apply(talking)
  await business.seenBy(db)
  const booking = await bookedAndPaid('svc_paid')
  stripe.refundsEnd = 'failed'
  await desk.cancel(booking.id)
  await aMinuteLater()
  shop.minutesLater(60)
  await aMinuteLater()
  const rows = await db.selectFrom('mails').selectAll().where('kind', '=', 'booking.refund_refused').execute()
  expect(rows.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['desk@studio.example', `booking ${booking.id}`],
  ])
  const matter = { kind: 'booking.refund_refused', snapshot: rows[0]?.snapshot, audience: 'staff' } as const
  const letter = letters.booking(matter, englishLocalizer(), talking)
  expect(letter?.heading).toBe('The refund of $82.50 failed')
  expect(letter?.paragraphs[0]).toBe('stripe refused it: the refund is failed. Please refund the money another way.')
  expect(letter?.rows).toContainEqual(['Name', 'Alice Williams'])
})
