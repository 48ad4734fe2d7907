import type { FastifyRequest } from 'fastify'
import { canMail } from '../../core/mails/build-queued-mails.ts'
import { isPage, needsFullAccess, type Page, pageUrl, renewalsIn } from '../../domain/bookings/booking-page-links.ts'
import { type BookingRow, bookingAsOf } from '../../domain/bookings/booking-row.ts'
import { bookingFind } from '../../domain/bookings/queries.ts'
import type { Providers } from '../../domain/payments/find-payment-provider.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { wasOpened } from '../pages/opened-booking-cookies.ts'
import type { Answer } from '../pages/page-layout.ts'
import { queryOf } from '../pages/page-route-setup.ts'

export interface PageContext {
  page: Page
  booking: BookingRow
  definition: BusinessDefinition
  /** Whether a mail server is set up, so that this server can send mails. */
  isMailSetUp: boolean
  now: Date
  address: string
  query: URLSearchParams
  localizer: Localizer
  /**
   * Whether the browser has opened the main page of the booking before. If it has not, other pages show no link to the
   * main page, where a visitor can cancel the booking.
   */
  isOpenedBefore: boolean
  pathOf(page: Page): string
}

export interface PageAddress {
  id: string
  page: string
  secret: string
}

/**
 * Verifies the URL of a page of a booking, and reads the booking. Returns undefined if the booking, the page or the
 * secret in the URL is wrong. The server does not reveal which of the three is wrong.
 */
export async function openPage(
  dependencies: Dependencies<'db' | 'tag' | 'clock' | 'business' | 'config'>,
  request: Pick<FastifyRequest, 'headers' | 'ip' | 'localizer' | 'url'>,
  { id, page, secret }: PageAddress,
): Promise<PageContext | undefined> {
  const { db, tag, clock, business } = dependencies
  const renewals = isPage(page) ? renewalsIn(tag, id, page, secret) : undefined
  if (!isPage(page) || renewals === undefined) return undefined
  const [found, definition] = await Promise.all([bookingFind(db, id, undefined, { lock: false }), business.get()])
  if (!found || !definition || renewals !== (found.record.links_renewed ?? 0)) return undefined
  const now = clock()
  return {
    page,
    booking: bookingAsOf(found, now),
    definition,
    isMailSetUp: await canMail(dependencies),
    now,
    address: request.ip,
    query: queryOf(request),
    localizer: request.localizer,
    isOpenedBefore: needsFullAccess(page) || wasOpened(request, dependencies, id),
    pathOf: (name) => pageUrl('', tag, found, name),
  }
}

export type PageDependencies = CountingDependencies &
  Dependencies<'config' | 'log' | 'tag' | 'makeChange' | 'strangerLimitMet'> & { payments: Providers }

export interface PageKind {
  show(context: PageContext, dependencies: PageDependencies): Answer | Promise<Answer>
  /**
   * Processes the submitted form of the page. Returns undefined if the server should show the same page again. A second
   * submission of the same form has no effect. Pages without a form do not have this function.
   */
  submit?(context: PageContext, form: URLSearchParams, dependencies: PageDependencies): Promise<Answer | undefined>
}
