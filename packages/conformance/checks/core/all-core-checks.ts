import type { Check } from '../check.ts'
import { agentNamingChecks } from './agent-naming.ts'
import { anonymousCallChecks } from './anonymous-calls.ts'
import { authenticationErrorChecks } from './authentication-errors.ts'
import { availabilityChangeChecks } from './availability-changes.ts'
import { availabilityFilterChecks } from './availability-filters.ts'
import { availabilityHintChecks } from './availability-hints.ts'
import { availabilityPageChecks } from './availability-pages.ts'
import { availabilityQueryChecks } from './availability-queries.ts'
import { availabilitySlotChecks } from './availability-slots.ts'
import { availabilityZoneChecks } from './availability-zones.ts'
import { bindingParityChecks } from './binding-parity.ts'
import { bookingPolicyChecks } from './booking-policies.ts'
import { bookingPriceChecks } from './booking-prices.ts'
import { catalogueChecks } from './catalogue.ts'
import { catalogueContextChecks } from './catalogue-context.ts'
import { catalogueFilterChecks } from './catalogue-filters.ts'
import { catalogueLookupChecks } from './catalogue-lookup.ts'
import { cataloguePageChecks } from './catalogue-pages.ts'
import { catalogueSearchChecks } from './catalogue-search.ts'
import { catalogueServiceChecks } from './catalogue-services.ts'
import { clockChangeChecks } from './clock-changes.ts'
import { entryPageChecks } from './entry-pages.ts'
import { errorCodeChecks } from './error-codes.ts'
import { errorFormChecks } from './error-forms.ts'
import { feedChecks } from './feed.ts'
import { feedChangeChecks } from './feed-changes.ts'
import { inputTypeChecks } from './input-types.ts'
import { mcpMessageChecks } from './mcp-messages.ts'
import { mcpMetadataChecks } from './mcp-metadata.ts'
import { moneyStringChecks } from './money-strings.ts'
import { negotiationChecks } from './negotiation.ts'
import { notFoundChecks } from './not-found.ts'
import { openingHoursChecks } from './opening-hours.ts'
import { operationChecks } from './operations-offered.ts'
import { outcomeChecks } from './outcomes.ts'
import { platformKeyChecks } from './platform-keys.ts'
import { platformProfileContentChecks } from './platform-profile-contents.ts'
import { platformProfileFetchingChecks } from './platform-profile-fetching.ts'
import { profileChecks } from './profile.ts'
import { profileAccessChecks } from './profile-access.ts'
import { profileContentChecks } from './profile-contents.ts'
import { profilePolicyChecks } from './profile-policy.ts'
import { requestLimitChecks } from './request-limits.ts'
import { restBodyChecks } from './rest-bodies.ts'
import { restRouteChecks } from './rest-routes.ts'
import { successChecks } from './successes.ts'
import { ucpProfileChecks } from './ucp-profile.ts'
import { ucpRegistrationChecks } from './ucp-registration.ts'

/** The checks of the profiles, the bindings, the errors, the catalogue with its feed, and the availability. */
export const coreChecks: Check[] = [
  ...profileChecks,
  ...profileAccessChecks,
  ...profileContentChecks,
  ...profilePolicyChecks,
  ...ucpProfileChecks,
  ...agentNamingChecks,
  ...platformProfileFetchingChecks,
  ...platformProfileContentChecks,
  ...negotiationChecks,
  ...platformKeyChecks,
  ...anonymousCallChecks,
  ...operationChecks,
  ...restBodyChecks,
  ...inputTypeChecks,
  ...restRouteChecks,
  ...mcpMessageChecks,
  ...mcpMetadataChecks,
  ...successChecks,
  ...errorFormChecks,
  ...errorCodeChecks,
  ...notFoundChecks,
  ...outcomeChecks,
  ...bindingParityChecks,
  ...authenticationErrorChecks,
  ...ucpRegistrationChecks,
  ...catalogueChecks,
  ...cataloguePageChecks,
  ...catalogueFilterChecks,
  ...catalogueSearchChecks,
  ...catalogueContextChecks,
  ...catalogueLookupChecks,
  ...catalogueServiceChecks,
  ...feedChecks,
  ...availabilityHintChecks,
  ...availabilityQueryChecks,
  ...availabilityZoneChecks,
  ...clockChangeChecks,
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
