import type { FastifyReply } from 'fastify'
import { formOf, queryOf } from '../pages/scope.ts'
import { awayPage, submitAbsence } from './away-page.ts'
import { blocksPage, unblock } from './blocks-page.ts'
import { bookPage, submitBooking } from './book-page.ts'
import { bookingActions, paymentClaimActions } from './booking-actions.ts'
import { bookingPage } from './booking-page.ts'
import { bookingsPage } from './bookings-page.ts'
import { signOut } from './browser-session.ts'
import { changeDuration } from './change-duration.ts'
import { changeStaffList } from './change-staff.ts'
import { classPage, submitClassAction } from './class-page.ts'
import { classesPage } from './classes-page.ts'
import { correctPage, submitCorrection } from './correct-page.ts'
import { customerPage, submitCustomerChange } from './customer-page.ts'
import { customersPage } from './customers-page.ts'
import { dayPage } from './day-page.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { devicesPage, endSessionOrPasskey } from './devices-page.ts'
import { storeHiddenColumns } from './hidden-columns.ts'
import { inboxPage, submitInboxAction } from './inbox-page.ts'
import { movePage, submitMove } from './move-page.ts'
import { addPasskey, passkeyPage } from './passkey-page.ts'
import { recordPayment } from './record-payment.ts'
import { refundPage } from './refund-page.ts'
import { reportsPage } from './reports-page.ts'
import { resendFromForm } from './resend-notification.ts'
import { answerPaymentClaim, runBookingAction } from './run-booking-action.ts'
import { seriesPage, submitSeries } from './series-page.ts'
import { SETUP_PATHS, setupHint, setupPage, submitSetup } from './setup/serve-setup.ts'
import { staffPage } from './staff-page.ts'
import { submitPaymentCorrection } from './submit-payment-correction.ts'
import { takingsPage } from './takings-page.ts'
import { offerPage, submitWaitlistAction, waitlistPage } from './waitlist-page.ts'
import { weekPage } from './week-page.ts'

/** GET and POST handlers of one address of the desk. */
export interface DeskRoute {
  handleGet?(asking: DeskRequest, id: string): Promise<Answer>
  handlePost?(asking: DeskRequest, id: string, reply: FastifyReply): Promise<Answer>
}

export const deskPages = (means: DeskDependencies): Record<string, DeskRoute> => ({
  '/desk': {
    async handleGet(asking) {
      const first = await setupHint(asking, means)
      if (first) return first
      const query = queryOf(asking.request)
      return query.get('view') === 'week' ? weekPage(query, asking, means) : dayPage(query, asking, means)
    },
  },
  '/desk/columns': {
    handlePost: async ({ request }, _, reply) =>
      storeHiddenColumns(formOf(request), (await means.business.get()) ?? {}, reply, means),
  },
  '/desk/away': {
    handleGet: (asking) => awayPage(queryOf(asking.request), asking, means),
    handlePost: (asking) => submitAbsence(formOf(asking.request), asking, means),
  },
  '/desk/blocks': {
    handleGet: (asking) => blocksPage(queryOf(asking.request), asking, means),
    handlePost: (asking) => unblock(formOf(asking.request), asking, means),
  },
  '/desk/book': {
    handleGet: (asking) => bookPage(queryOf(asking.request), asking, means),
    handlePost: (asking) => submitBooking(formOf(asking.request), asking, means),
  },
  '/desk/bookings': { handleGet: (asking) => bookingsPage(queryOf(asking.request), asking, means) },
  '/desk/bookings/:id': {
    handleGet: (asking, id) => bookingPage(id, asking, means),
    handlePost: (asking, id) => runAction(id, asking, means),
  },
  '/desk/bookings/:id/correct': {
    handleGet: (asking, id) => correctPage(id, asking, means),
    handlePost: (asking, id) => submitCorrection(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/length': {
    handlePost: (asking, id) => changeDuration(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/move': {
    handleGet: (asking, id) => movePage(id, queryOf(asking.request), asking, means),
    handlePost: (asking, id) => submitMove(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/pay': { handlePost: (asking, id) => recordPayment(id, formOf(asking.request), asking, means) },
  '/desk/bookings/:id/payment': {
    handlePost: (asking, id) => submitPaymentCorrection(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/refund': {
    handleGet: (asking, id) => refundPage(id, undefined, asking, means),
    handlePost: (asking, id) => refundPage(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/series': {
    handleGet: (asking, id) => seriesPage(id, queryOf(asking.request), asking, means),
    handlePost: (asking, id) => submitSeries(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/told': { handlePost: (asking, id) => resendFromForm(id, formOf(asking.request), asking, means) },
  '/desk/classes': { handleGet: (asking) => classesPage(queryOf(asking.request), asking, means) },
  '/desk/classes/:id': {
    handleGet: (asking, id) => classPage(id, asking, means),
    handlePost: (asking, id) => submitClassAction(id, formOf(asking.request), asking, means),
  },
  '/desk/customers': { handleGet: (asking) => customersPage(queryOf(asking.request), asking, means) },
  '/desk/customers/:id': {
    handleGet: (asking, id) => customerPage(id, asking, means),
    handlePost: (asking, id) => submitCustomerChange(id, formOf(asking.request), asking, means),
  },
  '/desk/inbox': {
    handleGet: (asking) => inboxPage(asking, means),
    handlePost: (asking) => submitInboxAction(formOf(asking.request), asking, means),
  },
  '/desk/money': { handleGet: (asking) => takingsPage(queryOf(asking.request), asking, means) },
  '/desk/people': {
    handleGet: (asking) => staffPage(asking, means),
    handlePost: (asking) => changeStaffList(formOf(asking.request), asking, means),
  },
  '/desk/reports': { handleGet: (asking) => reportsPage(queryOf(asking.request), asking, means) },
  '/desk/waitlist': {
    handleGet: (asking) => waitlistPage(queryOf(asking.request), asking, means),
    handlePost: (asking) => submitWaitlistAction(formOf(asking.request), asking, means),
  },
  '/desk/waitlist/:id': { handleGet: (asking, id) => offerPage(id, queryOf(asking.request), asking, means) },
  '/desk/devices': {
    handleGet: (asking) => devicesPage(asking, means),
    handlePost: (asking) => endSessionOrPasskey(formOf(asking.request), asking, means),
  },
  '/desk/passkey': {
    handleGet: async (asking) => passkeyPage(asking, means),
    handlePost: (asking) => addPasskey(asking, means),
  },
  '/desk/leave': {
    async handlePost({ who }, _, reply) {
      await signOut(who, reply, means)
      return { to: '/desk' }
    },
  },
  ...Object.fromEntries(
    SETUP_PATHS.map((path): [string, DeskRoute] => [
      path,
      { handleGet: (asking) => setupPage(asking, means), handlePost: (asking) => submitSetup(asking, means) },
    ]),
  ),
})

async function runAction(id: string, asking: DeskRequest, means: DeskDependencies): Promise<Answer> {
  const form = formOf(asking.request)
  const name = form.get('do') ?? ''
  if (Object.hasOwn(paymentClaimActions, name)) return answerPaymentClaim(id, name, asking, means)
  const wanted = new Map(Object.entries(bookingActions)).get(name)
  if (!wanted || !isAllowed(asking.who, wanted.operation)) return missingRolePage(wanted?.operation, asking)
  const word = form.get('word')?.trim() ?? ''
  const input = { booking_id: id, ...(wanted.word && word !== '' && { [wanted.word]: word }) }
  return runBookingAction(wanted, input, asking, means)
}
