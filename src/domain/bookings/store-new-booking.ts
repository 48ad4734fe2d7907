import { useStrangerQuota } from '../../core/limits/stranger-caller-quota.ts'
import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Booking, BusinessDefinition, PostPaymentReturnRequest } from '../../protocol/types.generated.ts'
import type { Slot } from '../availability/find-slot.ts'
import type { HoldRow } from '../availability/hold-queries.ts'
import { namedResources } from '../availability/time-slot-response.ts'
import { isDepositRefundable, paymentFor } from '../pricing/booking-price.ts'
import type { Payment } from '../pricing/payment-amounts.ts'
import { allocateForBooking } from './allocate-booking-slot.ts'
import type { BookingRecord, BookingRow, People } from './booking-row.ts'
import { tasksOf } from './buyer-tasks.ts'
import { deadline } from './cancel-and-reschedule-rules.ts'
import { notifyAboutBooking } from './notify-about-booking.ts'
import { bookingInsert } from './queries.ts'

/**
 * The default time that a buyer has to pay, for each way of payment. A card payment with Stripe is immediate, a manual
 * payment takes longer, and a bank transfer takes longest.
 */
const PAYMENT_WINDOWS = { stripe: 'PT15M', manual: 'P1D', transfer: 'P3D' } as const
const WINDOW_AFTER_APPROVAL = 'PT24H'

interface NewBooking {
  principal: string
  profile: string
  actor: string
  party: number
  people: People
  hold?: HoldRow
  offer?: string
  back?: PostPaymentReturnRequest
  stranger?: Stranger | undefined
  /**
   * Set if the caller names a platform profile (a public document of a platform) that does not contain the caller's
   * key. Events for this caller then wait in a separate queue, so that they do not delay the events for the platform
   * itself.
   */
  hasSeparateQueue?: boolean
  locale?: string | undefined
  /**
   * A digest (hash) of the submitted web form or of the AI assistant's request. With the digest, the server recognizes
   * a second submission.
   */
  sentForm?: string | undefined
  /**
   * Set if the staff make the booking. A booking by the staff needs no approval, and it can break rules of the
   * business. `overridden` lists the broken rules.
   */
  byStaff?: { overridden: string[] }
  /**
   * Set if the business imports the booking from another system. `isSettled` means that the buyer has nothing to pay.
   * `arePeopleInformed` means that the people know of the booking, so the server sends no notification.
   */
  elsewhere?: { source: string; isSettled: boolean; arePeopleInformed: boolean }
  series?: string
  /**
   * Set if a UCP (Universal Commerce Protocol) checkout makes the booking. The price and the terms come from the
   * checkout, where the buyer has completed all tasks. The booking stores the waiver and the questions that the buyer
   * saw there.
   */
  checkout?: Pick<BookingRecord, 'confirmation_mode' | 'waiver' | 'intake'> & {
    bookingId: string
    order: NonNullable<BookingRecord['order']>
    payment: Payment | undefined
    terms: Pick<BookingRecord, 'policies' | 'deposit_refundable'> | undefined
  }
}

/**
 * Reserves the slot, and stores the booking with its terms. These are the current terms of the service, or the terms of
 * the UCP checkout.
 */
export async function makeBooking(tx: UnitOfWork, slot: Slot, newBooking: NewBooking, now: Date): Promise<BookingRow> {
  refuseUnpaid(slot, newBooking)
  const id = newBooking.checkout?.bookingId ?? newId('bkg')
  const agreed = agreedTerms(slot, newBooking)
  const starts_at = new Date(slot.time.start)
  const { status, tasks } = firstStatus(agreed, newBooking)
  const expires_at = deadline(status, { record: { ...agreed, tasks }, starts_at }, now)
  const {
    actor,
    principal,
    profile,
    people,
    hold,
    offer,
    party,
    stranger,
    hasSeparateQueue = false,
    byStaff,
    elsewhere,
    series = null,
  } = newBooking
  const isConfirmed = status === 'confirmed'
  if (stranger) useStrangerQuota(tx, stranger, { kind: 'booking', id, isConfirmed }, now)
  const { resources, session } = await allocateForBooking(tx, slot, id, { party, hold, offer, until: expires_at, now })
  const record: BookingRecord = {
    ...agreed,
    tasks,
    resources: namedResources(slot.plan, session === undefined ? resources : slot.time.picks),
  }
  const row: BookingRow = {
    id,
    revision: 1,
    principal,
    profile,
    service_id: slot.plan.service.id,
    status,
    starts_at,
    ends_at: new Date(slot.time.end),
    resource_ids: session === undefined ? resources : [],
    session_id: session ?? null,
    expires_at,
    release_at: null,
    hold_id: hold?.id ?? null,
    record,
    people,
    search_text: '',
    created_at: now,
    updated_at: now,
    reminded_until: now,
    told_apart: hasSeparateQueue,
    series,
  }
  const detail = {
    ...(byStaff?.overridden.length && { overridden: byStaff.overridden }),
    ...(elsewhere && { source: elsewhere.source }),
  }
  const entry = { actor, action: 'create', subject: `booking ${id}`, from: null, to: status, detail }
  bookingInsert(tx, row)
  insertAuditEntry(tx, entry, now)
  if (elsewhere?.arePeopleInformed) return row
  notifyAboutBooking(
    tx,
    {
      before: undefined,
      after: row,
      byStaff: byStaff !== undefined,
      stranger: offer === undefined ? stranger : undefined,
    },
    now,
  )
  return row
}

/**
 * Refuses a booking without the required advance payment. In the deployment mode `ucp_native`, the business takes
 * advance payments only in a UCP (Universal Commerce Protocol) checkout. The staff may still book without a payment.
 */
function refuseUnpaid({ plan: { service, business } }: Slot, { byStaff, elsewhere, checkout }: NewBooking): void {
  const { requires_payment, payment_timing } = service.policies
  const isPaidAhead = business.deployment_mode === 'ucp_native' && requires_payment && payment_timing !== 'at_service'
  if (isPaidAhead && !byStaff && !elsewhere && !checkout)
    throw new BusinessRefusal(
      'payment_required',
      'This service is paid ahead: book it in the UCP checkout.',
      '$.service_id',
    )
}

function usualPaymentWindow({ provider = 'manual', manual }: BusinessDefinition['payments'] = {}): string {
  return PAYMENT_WINDOWS[provider === 'manual' && manual?.bank_transfer ? 'transfer' : provider]
}

function agreedTerms(
  slot: Slot,
  { party, hold, back, locale, sentForm, byStaff, elsewhere, checkout }: NewBooking,
): Omit<BookingRecord, 'tasks'> {
  const { id, plan, time } = slot
  const { service, business, zone } = plan
  const { name, type, channel, media } = service
  const { policies, deposit_refundable } = checkout?.terms ?? {
    policies: service.policies,
    deposit_refundable: isDepositRefundable(service, hold?.price),
  }
  const { waiver, intake } = checkout ?? service
  const usual = () => (elsewhere?.isSettled ? undefined : paymentFor(slot, party, hold?.price))
  const payment = checkout ? checkout.payment : usual()
  const { window = usualPaymentWindow(business.payments) } = business.payments ?? {}
  const { payment_window = window } = service
  const approved = service.payment_window ?? business.payments?.window_after_approval ?? WINDOW_AFTER_APPROVAL
  const place =
    channel.type === 'at_buyer_location' ? undefined : business.locations?.find((one) => one.id === time.location)
  return {
    service: { name, type, channel, ...(media && { media }) },
    zone,
    slot_id: id,
    resources: [],
    ...(place && { location: { id: place.id, name: place.name } }),
    party_size: party,
    confirmation_mode: checkout?.confirmation_mode ?? policies.confirmation_mode,
    policies,
    deposit_refundable,
    payment_window: secondsOf(payment_window) * 1000,
    window_after_approval: secondsOf(approved) * 1000,
    ...(payment && { payment }),
    ...(checkout && { order: checkout.order }),
    ...(waiver && { waiver }),
    ...(intake && intake.length > 0 && { intake }),
    reschedules: 0,
    sequence: 0,
    ...(back && { return_request: back }),
    ...(locale !== undefined && { locale }),
    ...(sentForm !== undefined && { sent_form: sentForm }),
    ...(byStaff && byStaff.overridden.length > 0 && { overridden: byStaff.overridden }),
  }
}

/**
 * Returns the first status and the first tasks of a booking. If the staff must approve the booking, the buyer gets the
 * tasks only after the approval. Bookings by the staff need neither approval nor tasks.
 */
function firstStatus(agreed: Omit<BookingRecord, 'tasks'>, { byStaff, checkout }: NewBooking) {
  if (byStaff) return { status: 'confirmed' as Booking['status'], tasks: [] }
  if (agreed.confirmation_mode === 'manual') return { status: 'pending' as Booking['status'], tasks: [] }
  const tasks = tasksOf(agreed)
  if (checkout)
    return {
      status: 'confirmed' as Booking['status'],
      tasks: tasks.map(({ type }) => ({ type, status: 'completed' as const })),
    }
  return { status: (tasks.length > 0 ? 'requires_action' : 'confirmed') as Booking['status'], tasks }
}
