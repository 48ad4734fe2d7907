import { asMembers } from '../../caller/answer.ts'
import { expectEqual } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectUnchanged, readBooking, staffAction } from './slots-and-bookings.ts'

export const confirmationRepeatChecks = [
  check(
    'LIV-070 BKG-076',
    'The business can confirm a booking that was confirmed at once, which changes nothing (flow/105)',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const { booking } = await c.book()
      expectEqual(booking.status, 'confirmed', 'status')
      const answer = asMembers(await confirm(booking.id))
      await expectUnchanged(c, booking)
      const shown = asMembers(answer?.booking)
      if (shown) expectEqual(shown.revision, (await readBooking(c, booking)).revision, 'revision in the answer')
    },
    { needs: ['services.bookings'] },
  ),
]
