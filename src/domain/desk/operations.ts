import type { Operation } from '../../protocol/define-operation.ts'
import { clearTime } from './away/clear-bookings-for-absence.ts'
import { listAffected } from './away/list-bookings-affected-by-absence.ts'
import { bookSeries } from './bookings/book-series.ts'
import { cancel } from './bookings/cancel-booking.ts'
import { cancelSeries } from './bookings/cancel-series.ts'
import { adjust } from './bookings/change-booking-end.ts'
import { planSeries } from './bookings/check-series-times.ts'
import { complete } from './bookings/complete-booking.ts'
import { correct } from './bookings/correct-booking-details.ts'
import { book } from './bookings/create-booking.ts'
import { decline } from './bookings/decline-booking.ts'
import { importBookings } from './bookings/import-bookings.ts'
import { keep } from './bookings/keep-affected-booking.ts'
import { listStranded } from './bookings/list-affected-bookings.ts'
import { listBookings } from './bookings/list-bookings.ts'
import { listNotifications } from './bookings/list-notifications.ts'
import { start } from './bookings/mark-booking-started.ts'
import { noShow } from './bookings/mark-no-show.ts'
import { moveSeries } from './bookings/move-series.ts'
import { notifyOfMove } from './bookings/notify-of-move.ts'
import { readBooking } from './bookings/read-booking.ts'
import { reschedule } from './bookings/reschedule-booking.ts'
import { resendNotification } from './bookings/resend-notification.ts'
import { getCustomer } from './customers/get-customer.ts'
import { listCustomers } from './customers/list-customers.ts'
import { mergeCustomers } from './customers/merge-customers.ts'
import { splitCustomer } from './customers/split-customer.ts'
import { noteCustomer } from './customers/write-customer-note.ts'
import { blockTime } from './hours/block-time.ts'
import { cancelSession } from './hours/cancel-class-session.ts'
import { resizeSession } from './hours/change-class-session-capacity.ts'
import { listBlocks } from './hours/list-blocks.ts'
import { listSessions } from './hours/list-class-sessions.ts'
import { readSession } from './hours/read-class-session.ts'
import { readWholeDay } from './hours/read-day-of-business.ts'
import { readDay } from './hours/read-day-of-resource.ts'
import { unblockTime } from './hours/unblock-time.ts'
import { dismissGivenUp } from './inbox/dismiss-failed-delivery.ts'
import { listGivenUp } from './inbox/list-failed-deliveries.ts'
import { listUnreturnedCharges } from './inbox/list-unreturned-charges.ts'
import { markChargeReturned } from './inbox/mark-charge-returned.ts'
import { readInbox } from './inbox/read-inbox.ts'
import { sendAgain } from './inbox/resend-failed-delivery.ts'
import { correctPayment } from './money/correct-payment.ts'
import { readTakings } from './money/get-takings.ts'
import { markPaid } from './money/mark-booking-paid.ts'
import { openDispute } from './money/open-dispute.ts'
import { refund } from './money/refund-booking.ts'
import { resolveDispute } from './money/resolve-dispute.ts'
import { reviewDispute } from './money/review-dispute.ts'
import { eraseBooking } from './people/erase-booking.ts'
import { eraseBuyer } from './people/erase-buyer.ts'
import { readReports } from './reports/read-reports.ts'
import { addPicture } from './setup/add-picture.ts'
import { applyDefinition } from './setup/apply-definition.ts'
import { getCompanySignIn } from './setup/get-company-sign-in.ts'
import { getDefinition } from './setup/get-definition.ts'
import { getMailServer } from './setup/get-mail-server.ts'
import { getTextProvider } from './setup/get-text-provider.ts'
import { removeCompanySignIn } from './setup/remove-company-sign-in.ts'
import { removeMailServer } from './setup/remove-mail-server.ts'
import { removeTextProvider } from './setup/remove-text-provider.ts'
import { setCalendarApp } from './setup/set-calendar-app.ts'
import { setCompanySignIn } from './setup/set-company-sign-in.ts'
import { setMailServer } from './setup/set-mail-server.ts'
import { setTextProvider } from './setup/set-text-provider.ts'
import { testMailServer } from './setup/test-mail-server.ts'
import { testTextProvider } from './setup/test-text-provider.ts'
import { listChanges } from './shared/list-changes.ts'
import { changeStaff } from './staff/change-staff.ts'
import { inviteStaff } from './staff/invite-staff.ts'
import { readStaff } from './staff/list-staff.ts'
import { removeStaff } from './staff/remove-staff.ts'
import { linkStaff } from './staff/renew-desk-link.ts'
import { listEntries } from './waitlist/list-entries.ts'
import { moveEntry } from './waitlist/move-entry.ts'
import { offerPlace } from './waitlist/offer-place.ts'
import { readEntry } from './waitlist/read-entry.ts'
import { removeEntry } from './waitlist/remove-entry.ts'

export const operations: Operation[] = [
  listBookings,
  readBooking,
  listChanges,
  listNotifications,
  resendNotification,
  notifyOfMove,
  readDay,
  readWholeDay,
  readReports,
  listSessions,
  readSession,
  book,
  decline,
  start,
  adjust,
  correct,
  complete,
  noShow,
  cancel,
  reschedule,
  planSeries,
  bookSeries,
  importBookings,
  moveSeries,
  cancelSeries,
  readInbox,
  listGivenUp,
  sendAgain,
  dismissGivenUp,
  listUnreturnedCharges,
  markChargeReturned,
  listStranded,
  keep,
  markPaid,
  correctPayment,
  blockTime,
  unblockTime,
  listBlocks,
  listAffected,
  clearTime,
  cancelSession,
  resizeSession,
  listEntries,
  readEntry,
  moveEntry,
  offerPlace,
  removeEntry,
  refund,
  readTakings,
  openDispute,
  reviewDispute,
  resolveDispute,
  listCustomers,
  getCustomer,
  noteCustomer,
  mergeCustomers,
  splitCustomer,
  eraseBooking,
  eraseBuyer,
  readStaff,
  inviteStaff,
  linkStaff,
  changeStaff,
  removeStaff,
  getDefinition,
  applyDefinition,
  addPicture,
  getMailServer,
  setMailServer,
  removeMailServer,
  testMailServer,
  getTextProvider,
  setTextProvider,
  removeTextProvider,
  testTextProvider,
  getCompanySignIn,
  setCompanySignIn,
  removeCompanySignIn,
  setCalendarApp,
]
