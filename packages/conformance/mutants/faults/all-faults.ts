import type { Fault } from '../fault.ts'
import { availabilityFaults } from './availability.ts'
import { bookingFaults } from './bookings.ts'
import { catalogueFaults } from './catalogue.ts'
import { catalogueContentFaults } from './catalogue-contents.ts'
import { credentialFaults } from './credentials.ts'
import { bugTrackerFaults } from './from-bug-trackers.ts'
import { holdFaults } from './holds.ts'
import { missingPartFaults } from './missing-parts.ts'
import { moveFaults } from './moves-and-cancellations.ts'
import { paymentFaults } from './payments.ts'
import { protocolFaults } from './protocol.ts'
import { registryFaults } from './registry.ts'
import { retryFaults, revisionFaults } from './retries.ts'
import { securityFaults } from './security.ts'
import { subscriptionFaults } from './subscriptions.ts'
import { waitlistFaults } from './waitlist.ts'

export const allFaults: Fault[] = [
  ...bookingFaults,
  ...credentialFaults,
  ...holdFaults,
  ...moveFaults,
  ...paymentFaults,
  ...retryFaults,
  ...revisionFaults,
  ...waitlistFaults,
  ...catalogueFaults,
  ...subscriptionFaults,
  ...securityFaults,
  ...registryFaults,
  ...protocolFaults,
  ...catalogueContentFaults,
  ...availabilityFaults,
  ...bugTrackerFaults,
  ...missingPartFaults,
]
