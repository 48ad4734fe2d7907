import type { Check } from '../check.ts'
import { availabilityChangeChecks } from './availability-changes.ts'
import { availabilityFilterChecks } from './availability-filters.ts'
import { availabilityHintChecks } from './availability-hints.ts'
import { availabilityPageChecks } from './availability-pages.ts'
import { availabilityQueryChecks } from './availability-queries.ts'
import { availabilitySlotChecks } from './availability-slots.ts'
import { availabilityZoneChecks } from './availability-zones.ts'
import { bookingPolicyChecks } from './booking-policies.ts'
import { bookingPriceChecks } from './booking-prices.ts'
import { catalogueContextChecks } from './catalogue-context.ts'
import { catalogueFilterChecks } from './catalogue-filters.ts'
import { lookupChecks } from './catalogue-lookup.ts'
import { cataloguePageChecks } from './catalogue-pages.ts'
import { catalogueSearchChecks } from './catalogue-search.ts'
import { catalogueServiceChecks } from './catalogue-services.ts'
import { entryPageChecks } from './entry-pages.ts'
import { feedChecks } from './feed.ts'
import { feedChangeChecks } from './feed-changes.ts'
import { moneyStringChecks } from './money-strings.ts'
import { openingHoursChecks } from './opening-hours.ts'
import { requestLimitChecks } from './request-limits.ts'

/** The checks of the catalogue, its feed, and availability. */
export const coreChecks: Check[] = [
  ...cataloguePageChecks,
  ...catalogueFilterChecks,
  ...catalogueSearchChecks,
  ...catalogueContextChecks,
  ...lookupChecks,
  ...catalogueServiceChecks,
  ...feedChecks,
  ...availabilityHintChecks,
  ...availabilityQueryChecks,
  ...availabilityZoneChecks,
  ...openingHoursChecks,
  ...availabilitySlotChecks,
  ...availabilityFilterChecks,
  ...availabilityPageChecks,
  ...availabilityChangeChecks,
  ...bookingPriceChecks,
  ...bookingPolicyChecks,
  ...moneyStringChecks,
  ...requestLimitChecks,
  ...entryPageChecks,
  ...feedChangeChecks,
]
