import { momentText, shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer, Values } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { currencyOf } from '../bookings/booking-amounts-owed.ts'
import type { Page } from '../bookings/booking-page-links.ts'
import { referenceOf } from '../bookings/booking-response.ts'
import type { BookingSnapshot } from '../bookings/notify-about-booking.ts'
import { amountToPay } from '../bookings/payment-instructions.ts'
import { fullName } from '../bookings/people-of-booking.ts'
import { serviceName } from '../bookings/translate-booking-texts.ts'
import { refundedOf } from '../pricing/payment-amounts.ts'

export interface NotificationContext {
  booking: BookingSnapshot
  localizer: Localizer
  definition: BusinessDefinition
  isPaidOnline: boolean
  /** Returns the URL of a page of this booking, or of the booking `other` in the same series. */
  pageOf(page: Page, other?: Pick<BookingSnapshot, 'id' | 'record'>): string
  deskUrl: string
}

/**
 * Returns all values that the texts about a booking can insert, such as the service and the time. A value that does not
 * apply is an empty string.
 */
export function valuesOf(context: NotificationContext): Values {
  const { booking, localizer, definition } = context
  const { record, starts_at, expires_at, moved_from } = booking
  const { cancellation, no_show, zone } = record
  const moment = (instant: Date | string | null | undefined) =>
    instant ? momentText(localizer, new Date(instant), zone) : ''
  const due = amountToPay(booking)
  return {
    business: definition.business.name,
    service: serviceName(booking, definition, localizer),
    name: fullName(booking.people.buyer),
    reference: referenceOf(booking),
    when: moment(starts_at),
    short: shortMomentText(localizer, starts_at, zone),
    before: moment(moved_from?.starts_at),
    until: moment(expires_at),
    ended: moment(cancellation?.canceled_at),
    due: due ? localizer.money(due.amount, due.currency) : '',
    fee: no_show ? localizer.money(no_show.fee, no_show.currency) : sum(context, cancellation?.fee),
    refund: sum(context, total(wholeSeries(booking).map(({ returned = 0 }) => returned))),
    total: sum(
      context,
      total(wholeSeries(booking).map((one) => (one.record.payment ? refundedOf(one.record.payment) : 0))),
    ),
  }
}

/** Returns all bookings that the notification covers, earliest first. */
export const wholeSeries = ({ others = [], ...booking }: BookingSnapshot): BookingSnapshot[] =>
  [booking, ...others].toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime())

const total = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)

export const sum = (context: NotificationContext, amount = 0): string =>
  amount > 0 ? context.localizer.money(amount, currencyOf(context.booking, context.definition)) : ''
