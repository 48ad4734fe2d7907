import type { FastifyReply } from 'fastify'
import { formOf, queryOf } from '../pages/scope.ts'
import { acts, claimActs } from './acts.ts'
import { answerClaim } from './answer-claim.ts'
import { awayChosen, awayPage } from './away-page.ts'
import { blocksPage, unblock } from './blocks-page.ts'
import { bookChosen, bookPage } from './book-page.ts'
import { bookingPage } from './booking-page.ts'
import { bookingsPage } from './bookings-page.ts'
import { lengthChosen } from './change-length.ts'
import { changeClass, classPage } from './class-page.ts'
import { classesPage } from './classes-page.ts'
import { keepColumns } from './columns-shown.ts'
import { corrected, correctPage } from './correct-page.ts'
import { customerChanged, customerPage } from './customer-page.ts'
import { customersPage } from './customers-page.ts'
import { dayPage } from './day-page.ts'
import { type Asking, type DeskMeans, may } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { devicesPage, signedOut } from './devices-page.ts'
import { inboxChosen, inboxPage } from './inbox-page.ts'
import { mayNot } from './may-not.ts'
import { moneyPage } from './money-page.ts'
import { moveChosen, movePage } from './move-page.ts'
import { passkeyAdded, passkeyPage } from './passkey-page.ts'
import { payChosen } from './pay-chosen.ts'
import { paymentCorrected } from './payment-corrected.ts'
import { peopleChanged } from './people-changed.ts'
import { peoplePage } from './people-page.ts'
import { refundPage } from './refund-page.ts'
import { reportsPage } from './reports-page.ts'
import { runAct } from './run-act.ts'
import { seriesChosen, seriesPage } from './series-page.ts'
import { signOut } from './session.ts'
import { SETUP_PATHS, setupChosen, setupPage, unlessSetUp } from './setup/serve-setup.ts'
import { toldAgain } from './tell-again.ts'
import { changeWaitlist, offerPage, waitlistPage } from './waitlist-page.ts'
import { weekPage } from './week-page.ts'

/** GET and POST handlers of one address of the desk. */
export interface DeskRoute {
  shows?(asking: Asking, id: string): Promise<Answer>
  does?(asking: Asking, id: string, reply: FastifyReply): Promise<Answer>
}

export const deskPages = (means: DeskMeans): Record<string, DeskRoute> => ({
  '/desk': {
    async shows(asking) {
      const first = await unlessSetUp(asking, means)
      if (first) return first
      const query = queryOf(asking.request)
      return query.get('view') === 'week' ? weekPage(query, asking, means) : dayPage(query, asking, means)
    },
  },
  '/desk/columns': {
    does: async ({ request }, _, reply) =>
      keepColumns(formOf(request), (await means.business.get()) ?? {}, reply, means),
  },
  '/desk/away': {
    shows: (asking) => awayPage(queryOf(asking.request), asking, means),
    does: (asking) => awayChosen(formOf(asking.request), asking, means),
  },
  '/desk/blocks': {
    shows: (asking) => blocksPage(queryOf(asking.request), asking, means),
    does: (asking) => unblock(formOf(asking.request), asking, means),
  },
  '/desk/book': {
    shows: (asking) => bookPage(queryOf(asking.request), asking, means),
    does: (asking) => bookChosen(formOf(asking.request), asking, means),
  },
  '/desk/bookings': { shows: (asking) => bookingsPage(queryOf(asking.request), asking, means) },
  '/desk/bookings/:id': {
    shows: (asking, id) => bookingPage(id, asking, means),
    does: (asking, id) => act(id, asking, means),
  },
  '/desk/bookings/:id/correct': {
    shows: (asking, id) => correctPage(id, asking, means),
    does: (asking, id) => corrected(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/length': { does: (asking, id) => lengthChosen(id, formOf(asking.request), asking, means) },
  '/desk/bookings/:id/move': {
    shows: (asking, id) => movePage(id, queryOf(asking.request), asking, means),
    does: (asking, id) => moveChosen(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/pay': { does: (asking, id) => payChosen(id, formOf(asking.request), asking, means) },
  '/desk/bookings/:id/payment': { does: (asking, id) => paymentCorrected(id, formOf(asking.request), asking, means) },
  '/desk/bookings/:id/refund': {
    shows: (asking, id) => refundPage(id, undefined, asking, means),
    does: (asking, id) => refundPage(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/series': {
    shows: (asking, id) => seriesPage(id, queryOf(asking.request), asking, means),
    does: (asking, id) => seriesChosen(id, formOf(asking.request), asking, means),
  },
  '/desk/bookings/:id/told': { does: (asking, id) => toldAgain(id, formOf(asking.request), asking, means) },
  '/desk/classes': { shows: (asking) => classesPage(queryOf(asking.request), asking, means) },
  '/desk/classes/:id': {
    shows: (asking, id) => classPage(id, asking, means),
    does: (asking, id) => changeClass(id, formOf(asking.request), asking, means),
  },
  '/desk/customers': { shows: (asking) => customersPage(queryOf(asking.request), asking, means) },
  '/desk/customers/:id': {
    shows: (asking, id) => customerPage(id, asking, means),
    does: (asking, id) => customerChanged(id, formOf(asking.request), asking, means),
  },
  '/desk/inbox': {
    shows: (asking) => inboxPage(asking, means),
    does: (asking) => inboxChosen(formOf(asking.request), asking, means),
  },
  '/desk/money': { shows: (asking) => moneyPage(queryOf(asking.request), asking, means) },
  '/desk/people': {
    shows: (asking) => peoplePage(asking, means),
    does: (asking) => peopleChanged(formOf(asking.request), asking, means),
  },
  '/desk/reports': { shows: (asking) => reportsPage(queryOf(asking.request), asking, means) },
  '/desk/waitlist': {
    shows: (asking) => waitlistPage(queryOf(asking.request), asking, means),
    does: (asking) => changeWaitlist(formOf(asking.request), asking, means),
  },
  '/desk/waitlist/:id': { shows: (asking, id) => offerPage(id, queryOf(asking.request), asking, means) },
  '/desk/devices': {
    shows: (asking) => devicesPage(asking, means),
    does: (asking) => signedOut(formOf(asking.request), asking, means),
  },
  '/desk/passkey': {
    shows: async (asking) => passkeyPage(asking, means),
    does: (asking) => passkeyAdded(asking, means),
  },
  '/desk/leave': {
    async does({ who }, _, reply) {
      await signOut(who, reply, means)
      return { to: '/desk' }
    },
  },
  ...Object.fromEntries(
    SETUP_PATHS.map((path): [string, DeskRoute] => [
      path,
      { shows: (asking) => setupPage(asking, means), does: (asking) => setupChosen(asking, means) },
    ]),
  ),
})

async function act(id: string, asking: Asking, means: DeskMeans): Promise<Answer> {
  const form = formOf(asking.request)
  const name = form.get('do') ?? ''
  if (Object.hasOwn(claimActs, name)) return answerClaim(id, name, asking, means)
  const wanted = new Map(Object.entries(acts)).get(name)
  if (!wanted || !may(asking.who, wanted.operation)) return mayNot(wanted?.operation, asking)
  const word = form.get('word')?.trim() ?? ''
  const input = { booking_id: id, ...(wanted.word && word !== '' && { [wanted.word]: word }) }
  return runAct(wanted, input, asking, means)
}
