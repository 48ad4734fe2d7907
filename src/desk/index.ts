import type { Operation } from '../protocol/operation.ts'
import { adjust } from './adjust.ts'
import { blockTime } from './block-time.ts'
import { book } from './book.ts'
import { cancel } from './cancel.ts'
import { cancelSession } from './cancel-session.ts'
import { complete } from './complete.ts'
import { decline } from './decline.ts'
import { eraseBooking } from './erase-booking.ts'
import { eraseBuyer } from './erase-buyer.ts'
import { listBookings } from './list-bookings.ts'
import { listChanges } from './list-changes.ts'
import { listEntries } from './list-entries.ts'
import { listSessions } from './list-sessions.ts'
import { markPaid } from './mark-paid.ts'
import { moveEntry } from './move-entry.ts'
import { noShow } from './no-show.ts'
import { offerPlace } from './offer-place.ts'
import { openDispute } from './open-dispute.ts'
import { readBooking } from './read-booking.ts'
import { readDay } from './read-day.ts'
import { readEntry } from './read-entry.ts'
import { refund } from './refund.ts'
import { removeEntry } from './remove-entry.ts'
import { reschedule } from './reschedule.ts'
import { resizeSession } from './resize-session.ts'
import { resolveDispute } from './resolve-dispute.ts'
import { reviewDispute } from './review-dispute.ts'
import { start } from './start.ts'
import { unblockTime } from './unblock-time.ts'

export const operations: Operation[] = [
  listBookings,
  readBooking,
  listChanges,
  readDay,
  listSessions,
  book,
  decline,
  start,
  adjust,
  complete,
  noShow,
  cancel,
  reschedule,
  markPaid,
  blockTime,
  unblockTime,
  cancelSession,
  resizeSession,
  listEntries,
  readEntry,
  moveEntry,
  offerPlace,
  removeEntry,
  refund,
  openDispute,
  reviewDispute,
  resolveDispute,
  eraseBooking,
  eraseBuyer,
]
