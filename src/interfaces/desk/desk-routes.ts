import type { FastifyReply, FastifyRequest } from 'fastify'
import { keep } from '../../domain/desk/bookings/keep-affected-booking.ts'
import { CALENDAR_PROVIDERS, grantPath, returnPath } from '../../infra/config/calendar-providers.ts'
import { formOf, queryOf } from '../pages/page-route-setup.ts'
import { awayPage, submitAbsence } from './absence-page.ts'
import { blocksPage, unblock } from './blocked-times-page.ts'
import { bookingActions, paymentClaimActions } from './booking-actions.ts'
import { bookingPage } from './booking-page.ts'
import { seriesPage, submitSeries } from './booking-series-page.ts'
import { bookingsPage } from './bookings-page.ts'
import { storeDensity } from './calendar-density.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './call-operation-as-staff.ts'
import { changeDuration } from './change-booking-duration.ts'
import { changeConnectedCalendars } from './change-connected-calendars.ts'
import { changeStaffList } from './change-staff-list.ts'
import { classPage, submitClassAction } from './class-session-page.ts'
import { classesPage } from './class-sessions-page.ts'
import { afterGrant, startGrant } from './connect-provider-calendar.ts'
import { CALENDARS_PATH, connectedCalendarsPage } from './connected-calendars-page.ts'
import { correctPage, submitCorrection } from './correct-booking-page.ts'
import { customerPage, submitCustomerChange } from './customer-page.ts'
import { customersPage } from './customers-page.ts'
import { dayPage } from './day-page.ts'
import { submitDemoRemoval } from './demo-note.ts'
import type { Answer } from './desk-page.ts'
import { grantForTerminal } from './grant-for-terminal.ts'
import { storeHiddenColumns } from './hidden-day-columns.ts'
import { inboxPage, submitInboxAction } from './inbox-page.ts'
import { movePage, submitMove } from './move-booking-page.ts'
import { submitMoveNotification } from './move-notification-form.ts'
import { bookPage, submitBooking } from './new-booking-page.ts'
import { addPasskey, passkeyPage } from './passkey-page.ts'
import { recordPayment } from './record-counter-payment.ts'
import { refundPage } from './refund-page.ts'
import { reportsPage } from './reports-page.ts'
import { resendFromForm } from './resend-notification.ts'
import { answerPaymentClaim, runBookingAction } from './run-booking-action.ts'
import { showPicture, submitPicture } from './setup/change-picture.ts'
import { PICTURE_PATHS } from './setup/pictured-object.ts'
import { SETUP_PATHS, setupHint, setupPage, submitSetup } from './setup/serve-setup.ts'
import { devicesPage, submitDevicesForm } from './signed-in-devices-page.ts'
import { signOut } from './staff-browser-session.ts'
import { staffPage } from './staff-page.ts'
import { submitPaymentCorrection } from './submit-payment-correction.ts'
import { takingsPage } from './takings-page.ts'
import { offerPage, submitWaitlistAction, waitlistPage } from './waitlist-page.ts'
import { weekPage } from './week-page.ts'

/** The functions that handle GET and POST requests to one URL of the desk (the staff pages). */
export interface DeskRoute {
  /** Answers a GET request before the server looks for a session. Undefined if the request needs a session. */
  handleStranger?(request: FastifyRequest): Promise<Answer>
  handleGet?(deskRequest: DeskRequest, id: string): Promise<Answer>
  handlePost?(deskRequest: DeskRequest, id: string, reply: FastifyReply): Promise<Answer>
  /** Whether the form at this URL contains a picture. */
  takesPicture?: true
}

export const deskPages = (dependencies: DeskDependencies): Record<string, DeskRoute> => ({
  '/desk': {
    async handleGet(deskRequest) {
      const first = await setupHint(deskRequest, dependencies)
      if (first) return first
      const query = queryOf(deskRequest.request)
      return query.get('view') === 'week'
        ? weekPage(query, deskRequest, dependencies)
        : dayPage(query, deskRequest, dependencies)
    },
  },
  '/desk/columns': {
    handlePost: async ({ request }, _, reply) =>
      storeHiddenColumns(formOf(request), (await dependencies.business.get()) ?? {}, reply, dependencies),
  },
  '/desk/density': {
    handlePost: async ({ request }, _, reply) => storeDensity(formOf(request), reply, dependencies),
  },
  '/desk/away': {
    handleGet: (deskRequest) => awayPage(queryOf(deskRequest.request), deskRequest, dependencies),
    handlePost: (deskRequest) => submitAbsence(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/blocks': {
    handleGet: (deskRequest) => blocksPage(queryOf(deskRequest.request), deskRequest, dependencies),
    handlePost: (deskRequest) => unblock(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/book': {
    handleGet: (deskRequest) => bookPage(queryOf(deskRequest.request), deskRequest, dependencies),
    handlePost: (deskRequest) => submitBooking(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings': {
    handleGet: (deskRequest) => bookingsPage(queryOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id': {
    handleGet: (deskRequest, id) => bookingPage(id, deskRequest, dependencies),
    handlePost: (deskRequest, id) => runAction(id, deskRequest, dependencies),
  },
  '/desk/bookings/:id/correct': {
    handleGet: (deskRequest, id) => correctPage(id, deskRequest, dependencies),
    handlePost: (deskRequest, id) => submitCorrection(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/length': {
    handlePost: (deskRequest, id) => changeDuration(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/move': {
    handleGet: (deskRequest, id) => movePage(id, { query: queryOf(deskRequest.request) }, deskRequest, dependencies),
    handlePost: (deskRequest, id) => submitMove(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/notify': {
    handlePost: (deskRequest, id) => submitMoveNotification(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/pay': {
    handlePost: (deskRequest, id) => recordPayment(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/payment': {
    handlePost: (deskRequest, id) =>
      submitPaymentCorrection(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/refund': {
    handleGet: (deskRequest, id) => refundPage(id, undefined, deskRequest, dependencies),
    handlePost: (deskRequest, id) => refundPage(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/series': {
    handleGet: (deskRequest, id) => seriesPage(id, { query: queryOf(deskRequest.request) }, deskRequest, dependencies),
    handlePost: (deskRequest, id) => submitSeries(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/bookings/:id/told': {
    handlePost: (deskRequest, id) => resendFromForm(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  [CALENDARS_PATH]: {
    handleGet: (deskRequest) => connectedCalendarsPage(queryOf(deskRequest.request), deskRequest, dependencies),
    handlePost: (deskRequest) => changeConnectedCalendars(formOf(deskRequest.request), deskRequest, dependencies),
  },
  ...Object.fromEntries(
    CALENDAR_PROVIDERS.flatMap((provider): [string, DeskRoute][] => [
      [grantPath(provider), { handleGet: (deskRequest) => startGrant(provider, deskRequest, dependencies) }],
      [
        returnPath(provider),
        {
          handleStranger: (request) => grantForTerminal(provider, request, dependencies),
          handleGet: (deskRequest) => afterGrant(provider, deskRequest, dependencies),
        },
      ],
    ]),
  ),
  '/desk/classes': { handleGet: (deskRequest) => classesPage(queryOf(deskRequest.request), deskRequest, dependencies) },
  '/desk/classes/:id': {
    handleGet: (deskRequest, id) => classPage(id, deskRequest, dependencies),
    handlePost: (deskRequest, id) => submitClassAction(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/customers': {
    handleGet: (deskRequest) => customersPage(queryOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/customers/:id': {
    handleGet: (deskRequest, id) => customerPage(id, deskRequest, dependencies),
    handlePost: (deskRequest, id) => submitCustomerChange(id, formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/demo': { handlePost: (deskRequest) => submitDemoRemoval(deskRequest, dependencies) },
  '/desk/inbox': {
    handleGet: (deskRequest) => inboxPage(deskRequest, dependencies),
    handlePost: (deskRequest) => submitInboxAction(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/money': { handleGet: (deskRequest) => takingsPage(queryOf(deskRequest.request), deskRequest, dependencies) },
  '/desk/people': {
    handleGet: (deskRequest) => staffPage(deskRequest, dependencies),
    handlePost: (deskRequest) => changeStaffList(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/reports': { handleGet: (deskRequest) => reportsPage(queryOf(deskRequest.request), deskRequest, dependencies) },
  '/desk/waitlist': {
    handleGet: (deskRequest) => waitlistPage(queryOf(deskRequest.request), deskRequest, dependencies),
    handlePost: (deskRequest) => submitWaitlistAction(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/waitlist/:id': {
    handleGet: (deskRequest, id) => offerPage(id, queryOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/devices': {
    handleGet: (deskRequest) => devicesPage(deskRequest, dependencies),
    handlePost: (deskRequest) => submitDevicesForm(formOf(deskRequest.request), deskRequest, dependencies),
  },
  '/desk/passkey': {
    handleGet: async (deskRequest) => passkeyPage(deskRequest, dependencies),
    handlePost: (deskRequest) => addPasskey(deskRequest, dependencies),
  },
  '/desk/leave': {
    async handlePost({ who }, _, reply) {
      await signOut(who, reply, dependencies)
      return { to: '/desk' }
    },
  },
  ...Object.fromEntries(
    SETUP_PATHS.map((path): [string, DeskRoute] => [
      path,
      {
        handleGet: (deskRequest) => setupPage(deskRequest, dependencies),
        handlePost: (deskRequest) => submitSetup(deskRequest, dependencies),
      },
    ]),
  ),
  ...Object.fromEntries(
    PICTURE_PATHS.map((path): [string, DeskRoute] => [
      path,
      {
        handleGet: (deskRequest) => showPicture(deskRequest, dependencies),
        handlePost: (deskRequest) => submitPicture(deskRequest, dependencies),
        takesPicture: true,
      },
    ]),
  ),
})

async function runAction(id: string, deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const form = formOf(deskRequest.request)
  const name = form.get('do') ?? ''
  if (Object.hasOwn(paymentClaimActions, name)) return answerPaymentClaim(id, name, deskRequest, dependencies)
  const action = name === 'keep' ? { operation: keep } : new Map(Object.entries(bookingActions)).get(name)
  if (!action || !isAllowed(deskRequest.who, action.operation)) return missingRolePage(action?.operation, deskRequest)
  const word = form.get('word')?.trim() ?? ''
  const input = { booking_id: id, ...('word' in action && action.word && word !== '' && { [action.word]: word }) }
  return runBookingAction(action, input, deskRequest, dependencies)
}
