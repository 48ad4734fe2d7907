import type { Check } from './check.ts'
import { coreChecks } from './core/all-core-checks.ts'
import { bookingEventChecks } from './events/booking-events.ts'
import { catalogueEventChecks } from './events/catalogue-events.ts'
import { eventDeliveryChecks } from './events/event-delivery.ts'
import { eventSignatureChecks } from './events/event-signatures.ts'
import { paymentEventChecks } from './events/payment-events.ts'
import { staffEventChecks } from './events/staff-events.ts'
import { subscriptionChecks } from './events/subscriptions.ts'
import { waitlistEventChecks } from './events/waitlist-events.ts'
import { paymentActionChecks } from './payments/payment-actions.ts'
import { paymentAmountChecks } from './payments/payment-amounts.ts'
import { paymentConfirmationChecks } from './payments/payment-confirmation.ts'
import { paymentOutcomeChecks } from './payments/payment-outcomes.ts'
import { refundChecks } from './payments/refunds.ts'
import { reschedulePaymentChecks } from './payments/reschedule-payments.ts'
import { businessSearchChecks } from './registry/business-search.ts'
import { registeredProfileChecks } from './registry/registered-profiles.ts'
import { registrationChecks } from './registry/registration.ts'
import { registrationChangeChecks } from './registry/registration-changes.ts'
import { serviceRangeChecks } from './registry/service-ranges.ts'
import { serviceRankingChecks } from './registry/service-ranking.ts'
import { serviceSearchChecks } from './registry/service-search.ts'
import { securityChecks } from './security/all-security-checks.ts'
import { bookingAccessChecks } from './transactions/booking-access.ts'
import { bookingCancelChecks } from './transactions/booking-cancel.ts'
import { bookingConfirmationChecks } from './transactions/booking-confirmation.ts'
import { bookingCreationChecks } from './transactions/booking-creation.ts'
import { bookingRequestChecks } from './transactions/booking-requests.ts'
import { bookingRescheduleChecks } from './transactions/booking-reschedule.ts'
import { bookingStateChecks } from './transactions/booking-states.ts'
import { bookingUpdateChecks } from './transactions/booking-update.ts'
import { confirmationRepeatChecks } from './transactions/confirmation-repeats.ts'
import { holdCapacityChecks } from './transactions/hold-capacity.ts'
import { holdConversionChecks } from './transactions/hold-conversion.ts'
import { holdExpiryChecks } from './transactions/hold-expiry.ts'
import { holdLimitChecks } from './transactions/hold-limits.ts'
import { holdReleaseChecks } from './transactions/hold-release.ts'
import { holdReplayChecks } from './transactions/hold-replays.ts'
import { holdRequestChecks } from './transactions/hold-requests.ts'
import { holdChecks } from './transactions/holds.ts'
import { idempotencyKeyChecks } from './transactions/idempotency-keys.ts'
import { idempotencyReplayChecks } from './transactions/idempotency-replays.ts'
import { lastSpotChecks } from './transactions/last-spots.ts'
import { raceChecks } from './transactions/races.ts'
import { revisionPreconditionChecks } from './transactions/revision-preconditions.ts'
import { revisionChecks } from './transactions/revisions.ts'
import { waitlistAcceptanceChecks } from './transactions/waitlist-acceptance.ts'
import { waitlistEntryChecks } from './transactions/waitlist-entries.ts'
import { waitlistListChecks } from './transactions/waitlist-lists.ts'
import { waitlistOfferChecks } from './transactions/waitlist-offers.ts'
import { ucpChecks } from './ucp/all-ucp-checks.ts'

/** All checks of the suite, in the order of the report. */
export const allChecks: Check[] = [
  ...coreChecks,
  ...holdChecks,
  ...waitlistEntryChecks,
  ...waitlistListChecks,
  ...waitlistOfferChecks,
  ...waitlistAcceptanceChecks,
  ...holdRequestChecks,
  ...holdReleaseChecks,
  ...holdCapacityChecks,
  ...holdConversionChecks,
  ...holdExpiryChecks,
  ...holdLimitChecks,
  ...holdReplayChecks,
  ...securityChecks,
  ...bookingCreationChecks,
  ...bookingRequestChecks,
  ...bookingConfirmationChecks,
  ...confirmationRepeatChecks,
  ...bookingUpdateChecks,
  ...bookingCancelChecks,
  ...bookingRescheduleChecks,
  ...bookingAccessChecks,
  ...revisionChecks,
  ...revisionPreconditionChecks,
  ...idempotencyReplayChecks,
  ...idempotencyKeyChecks,
  ...bookingStateChecks,
  ...raceChecks,
  ...lastSpotChecks,
  ...bookingEventChecks,
  ...eventSignatureChecks,
  ...eventDeliveryChecks,
  ...waitlistEventChecks,
  ...paymentEventChecks,
  ...registrationChecks,
  ...registrationChangeChecks,
  ...registeredProfileChecks,
  ...businessSearchChecks,
  ...serviceRangeChecks,
  ...serviceSearchChecks,
  ...serviceRankingChecks,
  ...paymentAmountChecks,
  ...paymentActionChecks,
  ...paymentConfirmationChecks,
  ...paymentOutcomeChecks,
  ...refundChecks,
  ...subscriptionChecks,
  ...catalogueEventChecks,
  ...reschedulePaymentChecks,
  ...staffEventChecks,
  ...ucpChecks,
]
