import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { bookingOf, expectOffered, expectUnchanged, newKey, PAYMENT, readBooking } from './slots-and-bookings.ts'
import { join, offeredEntry, readEntry } from './waitlist-steps.ts'

const needs = ['services.bookings']

/** Makes a booking and changes it. The revision in the first answer is then stale. */
async function changedBooking(c: CheckContext) {
  const { booking, slot } = await c.book()
  const current = bookingOf(await c.caller.call('updateBooking', { booking_id: booking.id, notes: 'Changed' }))
  return { booking_id: booking.id, slot, current, stale: String(booking.revision), revision: String(current.revision) }
}

async function refuseStaleUpdate(c: CheckContext): Promise<void> {
  const { booking_id, current, stale } = await changedBooking(c)
  const answer = await c.caller.call('updateBooking', { booking_id, notes: 'Lost' }, { ifMatch: stale })
  answer.failsWith('revision_mismatch')
  await expectUnchanged(c, current)
}

export const revisionPreconditionChecks = [
  check(
    'REV-010 REV-016',
    'The server accepts an update with the current revision, or without a revision',
    async (c) => {
      const { booking_id, revision } = await changedBooking(c)
      const matched = await c.caller.call('updateBooking', { booking_id, notes: 'Matched' }, { ifMatch: revision })
      expectEqual(bookingOf(matched).notes, 'Matched', 'notes')
      const free = await c.caller.call('updateBooking', { booking_id, notes: 'Free' })
      expectEqual(bookingOf(free).notes, 'Free', 'notes')
    },
    { needs },
  ),
  check('REV-011 REV-015', 'An update with a stale revision gets HTTP 412', refuseStaleUpdate, {
    needs,
    only: 'rest',
  }),
  check('REV-014', 'An update with a stale revision gets the JSON-RPC error -32002', refuseStaleUpdate, {
    needs,
    only: 'mcp',
  }),
  check(
    'REV-012 REV-015',
    'The server refuses cancel, reschedule and confirm-payment with a stale revision, and changes nothing',
    async (c) => {
      const { booking_id, current, stale } = await changedBooking(c)
      const next = await c.slot(c.simpleService)
      const calls = [
        ['cancelBooking', { booking_id }],
        ['reschedule', { booking_id, slot_id: next.id }],
        ['confirmPayment', { booking_id, payment_result: PAYMENT }],
      ] as const
      for (const [name, input] of calls)
        (await c.caller.call(name, input, { ifMatch: stale })).failsWith('revision_mismatch')
      await expectUnchanged(c, current)
      await expectOffered(c, next, true)
    },
    { needs },
  ),
  check(
    'REV-013',
    'The server refuses accept, decline and leave with a stale revision, and changes nothing',
    async (c) => {
      const { entry } = await offeredEntry(c)
      for (const name of ['acceptOffer', 'declineOffer', 'leaveWaitlist'] as const) {
        const answer = await c.caller.call(name, { entry_id: entry.id }, { ifMatch: 'stale' })
        answer.failsWith('revision_mismatch')
      }
      // The check does not compare the revision. It can change because entries of other checks leave the same waitlist.
      expectEqual((await readEntry(c, entry)).status, 'offered', 'status of the entry')
    },
    { needs: [...needs, 'services.waitlist', 'services.availability'] },
  ),
  check(
    'REV-017',
    'A change repeated with its idempotency key gets its successful answer again, even if its revision is stale now',
    async (c) => {
      const { booking_id, revision } = await changedBooking(c)
      const options = { ifMatch: revision, ...newKey() }
      const update = () => c.caller.call('updateBooking', { booking_id, notes: 'Once' }, options)
      const first = bookingOf(await update())
      expectEqual(bookingOf(await update()).revision, first.revision, 'revision in the second answer')
    },
    { needs },
  ),
  check(
    'REV-018',
    'The server checks the idempotency key of a request before it compares the revision',
    async (c) => {
      const { booking_id, revision } = await changedBooking(c)
      const options = { ifMatch: revision, ...newKey() }
      const updated = bookingOf(await c.caller.call('updateBooking', { booking_id, notes: 'Once' }, options))
      const other = await c.caller.call('updateBooking', { booking_id, notes: 'Twice' }, options)
      other.failsWith('idempotency_conflict')
      await expectUnchanged(c, updated)
    },
    { needs },
  ),
  check(
    'REV-019',
    'After a refusal because of the revision, the same idempotency key can be used with the current revision',
    async (c) => {
      const { booking_id, stale, revision } = await changedBooking(c)
      const key = newKey()
      const update = (ifMatch: string) =>
        c.caller.call('updateBooking', { booking_id, notes: 'Again' }, { ifMatch, ...key })
      ;(await update(stale)).failsWith('revision_mismatch')
      expectEqual(bookingOf(await update(revision)).notes, 'Again', 'notes')
    },
    { needs },
  ),
  check(
    'REV-022',
    'If-Match can be a revision with or without quotes, or a star',
    async (c) => {
      const { booking_id, stale } = await changedBooking(c)
      const update = (notes: string, value: string) =>
        c.caller.call('updateBooking', { booking_id, notes }, { headers: { 'if-match': value } })
      const current = async () => String((await readBooking(c, { id: booking_id })).revision)
      bookingOf(await update('Bare', await current()))
      bookingOf(await update('Quoted', `"${await current()}"`))
      bookingOf(await update('Star', '*'))
      ;(await update('Stale', stale)).failsWith('revision_mismatch')
      ;(await update('Stale', `"${stale}"`)).failsWith('revision_mismatch')
    },
    { needs, only: 'rest' },
  ),
  check(
    'REV-023',
    'A read of a booking or waitlist entry over REST ignores If-Match',
    async (c) => {
      const { booking } = await c.book()
      const read = await c.caller.call('getBooking', { booking_id: booking.id }, { ifMatch: 'stale' })
      expectEqual(bookingOf(read).revision, booking.revision, 'revision')
      if (!c.target.capability('services.waitlist')) return
      const { entry } = await join(c)
      ;(await c.caller.call('getEntry', { entry_id: entry.id }, { ifMatch: 'stale' })).success()
    },
    { needs, only: 'rest' },
  ),
]
