import { expect, test } from 'vitest'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { bookedBy, staffOf, talking, talkingShop } from '../mails/letters-shop.ts'
import { type Desk, mcpDesk, restDesk, type Slot } from '../support/desk.ts'

const [shop, quiet] = await Promise.all([
  talkingShop(),
  talkingShop({ mails: { ...talking.mails, notify_of_moves: false } }),
])

async function confirmed(desk: Desk, at = shop) {
  const staff = staffOf(desk, at)
  const booking = await bookedBy(desk, 'svc_spot')
  const slots = await desk.slots('svc_spot')
  const starts = slots.map(({ start }) => start)
  await sendDueMails(at.runtime)
  const booking_id = booking.id as string
  return {
    booking,
    was: booking.slot.start as string,
    starts,
    /** The buyer moves it. */
    moveByBuyer: () => desk.reschedule(booking_id, slots[1] as Slot),
    move: (start: string | undefined, more = {}) => staff('bookings_reschedule', { booking_id, start, ...more }),
    decide: (notify_buyer: boolean) => staff('bookings_notify_of_move', { booking_id, notify_buyer }),
    /** What became of the mails about moves by the staff, in their order, after the time that they are held back. */
    async mails() {
      at.minutesLater(2)
      await sendDueMails(at.runtime)
      const { told } = (await staff('bookings_told', { booking_id })).data
      const moves = told.filter(({ what }: { what: string }) => what === 'booking.moved_by_business')
      return moves.map(({ status }: { status: string }) => status).toReversed()
    },
  }
}

test.each([
  ['rest', restDesk(shop)],
  ['mcp', mcpDesk(shop)],
] as const)('[%s] nobody is told of a move that the staff keep to themselves, until they say so', async (_, desk) => {
  const { starts, move, decide, mails } = await confirmed(desk)
  expect((await move(starts[0], { notify_buyer: false })).data.booking.slot.start).toBe(starts[0])
  expect(await mails()).toEqual(['dropped'])
  expect((await decide(true)).data.told).toMatchObject([{ what: 'booking.moved_by_business', status: 'waiting' }])
  expect(await mails()).toEqual(['sent'])
})

test.each([
  ['rest', restDesk(shop)],
  ['mcp', mcpDesk(shop)],
] as const)('[%s] a mail that is held back can be withheld, and what was sent cannot', async (_, desk) => {
  const { starts, move, decide, mails } = await confirmed(desk)
  await move(starts[0], { mail_after: 60 })
  expect((await decide(false)).data.told).toMatchObject([{ status: 'dropped' }])
  expect((await decide(false)).data.told).toMatchObject([{ status: 'dropped' }])
  expect(await mails()).toEqual(['dropped'])
  await move(starts[1], { mail_after: 60 })
  expect(await mails()).toEqual(['dropped', 'sent'])
  expect((await decide(false)).code).toBe('invalid_transition')
  expect((await decide(true)).data.told).toMatchObject([{ status: 'sent' }])
  expect(await mails()).toEqual(['dropped', 'sent'])
})

test('the business decides what happens where the staff decide nothing', async () => {
  const { starts, move, mails } = await confirmed(restDesk(quiet), quiet)
  await move(starts[0], { mail_after: 60 })
  expect(await mails()).toEqual(['dropped'])
  await move(starts[1], { mail_after: 60, notify_buyer: true })
  expect(await mails()).toEqual(['dropped', 'sent'])
})

test('a move back after a move that nobody was told of is not mailed either, unless the staff want it', async () => {
  const { was, starts, move, decide, mails } = await confirmed(restDesk(shop))
  await move(starts[0], { notify_buyer: false })
  await move(was, { mail_after: 60 })
  expect(await mails()).toEqual(['dropped', 'dropped'])
  expect((await decide(true)).data.told).toMatchObject([{ status: 'waiting' }])
  expect(await mails()).toEqual(['dropped', 'sent'])
})

test('a mail that the staff ask for is sent, also about a move back', async () => {
  const { was, starts, move, mails } = await confirmed(restDesk(shop))
  await move(starts[0], { notify_buyer: false })
  await move(was, { notify_buyer: true })
  expect(await mails()).toEqual(['dropped', 'sent'])
})

test('a move and the move back reach nobody on any channel', async () => {
  const posting = await talkingShop({ notifications: { webhook: 'https://sms.example/usp' } })
  const { booking, was, starts, move } = await confirmed(restDesk(posting), posting)
  await move(starts[0], { mail_after: 60 })
  await move(was, { mail_after: 60 })
  const rows = await posting.runtime.db
    .selectFrom('mails')
    .select(['channel', 'status'])
    .where('subject', '=', `booking ${booking.id}`)
    .where('kind', '=', 'booking.moved_by_business')
    .execute()
  expect(rows.toSorted((one, other) => one.channel.localeCompare(other.channel))).toEqual([
    { channel: 'mail', status: 'dropped' },
    { channel: 'webhook', status: 'dropped' },
  ])
})

test('a move back is mailed if the booking was changed in between', async () => {
  const { was, starts, move, moveByBuyer, mails } = await confirmed(restDesk(shop))
  await move(starts[0], { notify_buyer: false })
  const moved = await moveByBuyer()
  expect(moved.data.booking.slot.start).toBe(starts[1])
  await move(was, { mail_after: 60 })
  expect(await mails()).toEqual(['dropped', 'sent'])
})

test('a mail that is out of date is not sent, and there may be nothing to decide', async () => {
  const { starts, move, moveByBuyer, decide } = await confirmed(restDesk(shop))
  expect((await decide(true)).code).toBe('invalid_transition')
  await move(starts[0], { notify_buyer: false })
  await moveByBuyer()
  for (const notify of [true, false]) expect((await decide(notify)).code).toBe('invalid_transition')
})

test('a mail about a move is not sent after the booking was canceled', async () => {
  const { booking, starts, move, decide } = await confirmed(restDesk(shop))
  await move(starts[0], { notify_buyer: false })
  await staffOf(restDesk(shop), shop)('bookings_cancel', { booking_id: booking.id })
  expect((await decide(true)).code).toBe('invalid_transition')
})
