import { expect, test } from 'vitest'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { bookedBy, staffOf, talkingShop } from '../mails/letters-shop.ts'
import { type Desk, mcpDesk, restDesk } from '../support/desk.ts'

const shop = await talkingShop()
const desks = { rest: restDesk(shop), mcp: mcpDesk(shop) }

async function confirmed(desk: Desk) {
  const staff = staffOf(desk, shop)
  const booking = await bookedBy(desk, 'svc_spot')
  const starts = (await desk.slots('svc_spot')).map(({ start }) => start)
  const move = (start: string | undefined, mail_after?: number) =>
    staff('bookings_reschedule', { booking_id: booking.id, start, ...(mail_after !== undefined && { mail_after }) })
  await sendDueMails(shop.runtime)
  return { booking, was: booking.slot.start as string, starts, move }
}

/** What became of the mails about moves, in their order. */
async function mailsOf({ id }: { id: string }) {
  await sendDueMails(shop.runtime)
  const rows = await shop.runtime.db
    .selectFrom('mails')
    .select('status')
    .where('subject', '=', `booking ${id}`)
    .where('kind', '=', 'booking.moved_by_business')
    .orderBy('number')
    .execute()
  return rows.map(({ status }) => status)
}

test.each(['rest', 'mcp'] as const)('[%s] a move and the move back in time send no mail', async (binding) => {
  const { booking, was, starts, move } = await confirmed(desks[binding])
  expect((await move(starts[0], 60)).data.booking.slot.start).toBe(starts[0])
  expect(await mailsOf(booking)).toEqual(['waiting'])
  expect((await move(was, 60)).data.booking.slot.start).toBe(was)
  shop.minutesLater(2)
  expect(await mailsOf(booking)).toEqual(['dropped'])
})

test('a move that stays sends one mail after the time it was held back, and at once where it was not', async () => {
  const { booking, starts, move } = await confirmed(desks.rest)
  await move(starts[0], 60)
  expect(await mailsOf(booking)).toEqual(['waiting'])
  shop.minutesLater(1)
  expect(await mailsOf(booking)).toEqual(['sent'])
  await move(starts[1])
  expect(await mailsOf(booking)).toEqual(['sent', 'sent'])
})

test('a move back after the mail was sent is mailed', async () => {
  const { booking, was, starts, move } = await confirmed(desks.rest)
  await move(starts[0], 60)
  shop.minutesLater(1)
  await mailsOf(booking)
  await move(was)
  expect(await mailsOf(booking)).toEqual(['sent', 'sent'])
})

test('of several moves only those since the booking was there before are not mailed', async () => {
  const { booking, was, starts, move } = await confirmed(desks.rest)
  await move(starts[0], 60)
  await move(starts[1], 60)
  await move(starts[0], 60)
  expect(await mailsOf(booking)).toEqual(['waiting', 'dropped'])
  await move(starts[2], 60)
  await move(was, 60)
  shop.minutesLater(2)
  expect(await mailsOf(booking)).toEqual(['dropped', 'dropped', 'dropped'])
})

test('a move back is mailed where the buyer would read of the other time in a later mail', async () => {
  const { booking, was, starts, move } = await confirmed(desks.rest)
  await move(starts[0], 60)
  const buyer = { ...booking.buyer, first_name: 'Other' }
  await staffOf(desks.rest, shop)('bookings_correct', { booking_id: booking.id, buyer })
  await move(was, 60)
  shop.minutesLater(2)
  await sendDueMails(shop.runtime)
  shop.minutesLater(2)
  await sendDueMails(shop.runtime)
  expect(await mailsOf(booking)).toEqual(['sent', 'sent'])
})

test.each([-1, 601, 1.5, 'soon'])('no mail is held back for %s seconds', async (mail_after) => {
  const { booking, starts } = await confirmed(desks.rest)
  const sent = { booking_id: booking.id, start: starts[0], mail_after }
  expect((await staffOf(desks.rest, shop)('bookings_reschedule', sent)).status).toBe(422)
})
