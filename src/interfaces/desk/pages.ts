import type { FastifyReply } from 'fastify'
import { formOf, queryOf } from '../pages/scope.ts'
import { bookingActions, paymentClaimActions } from './acts.ts'
import { answerPaymentClaim } from './answer-claim.ts'
import { submitAbsence, awayPage } from './away-page.ts'
import { blocksPage, unblock } from './blocks-page.ts'
import { submitBooking, bookPage } from './book-page.ts'
import { bookingPage } from './booking-page.ts'
import { bookingsPage } from './bookings-page.ts'
import { changeDuration } from './change-length.ts'
import { submitClassAction, classPage } from './class-page.ts'
import { classesPage } from './classes-page.ts'
import { storeHiddenColumns } from './columns-shown.ts'
import { submitCorrection, correctPage } from './correct-page.ts'
import { submitCustomerChange, customerPage } from './customer-page.ts'
import { customersPage } from './customers-page.ts'
import { dayPage } from './day-page.ts'
import { type DeskRequest, type DeskDependencies, isAllowed } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { devicesPage, endSessionOrPasskey } from './devices-page.ts'
import { submitInboxAction, inboxPage } from './inbox-page.ts'
import { missingRolePage } from './may-not.ts'
import { takingsPage } from './money-page.ts'
import { submitMove, movePage } from './move-page.ts'
import { addPasskey, passkeyPage } from './passkey-page.ts'
import { recordPayment } from './pay-chosen.ts'
import { submitPaymentCorrection } from './payment-corrected.ts'
import { changeStaffList } from './people-changed.ts'
import { staffPage } from './people-page.ts'
import { refundPage } from './refund-page.ts'
import { reportsPage } from './reports-page.ts'
import { runBookingAction } from './run-act.ts'
import { submitSeries, seriesPage } from './series-page.ts'
import { signOut } from './session.ts'
import { SETUP_PATHS, submitSetup, setupPage, setupHint } from './setup/serve-setup.ts'
import { resendFromForm } from './tell-again.ts'
import { submitWaitlistAction, offerPage, waitlistPage } from './waitlist-page.ts'
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
  '/desk/bookings/:id/length': { handlePost: (asking, id) => changeDuration(id, formOf(asking.request), asking, means) },
  '/desk/bookings/:id/move': {
    handleGet: (asking, id) => movePage(id, queryOf(asking.request), asking, means),
    handlePost: (asking, id) => submitMove(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/pay': { handlePost: (asking, id) => recordPayment(id, formOf(asking.request), asking, means) },
  '/desk/bookings/:id/payment': { handlePost: (asking, id) => submitPaymentCorrection(id, formOf(asking.request), asking, means) },
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
