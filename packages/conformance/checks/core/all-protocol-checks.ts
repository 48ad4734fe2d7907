import type { Check } from '../check.ts'
import { paymentOutcomeChecks } from '../payments/payment-outcomes.ts'
import { agentNamingChecks } from './agent-naming.ts'
import { anonymousCallChecks } from './anonymous-calls.ts'
import { authenticationErrorChecks } from './authentication-errors.ts'
import { bindingParityChecks } from './binding-parity.ts'
import { errorCodeChecks } from './error-codes.ts'
import { errorFormChecks } from './error-forms.ts'
import { inputTypeChecks } from './input-types.ts'
import { mcpMessageChecks } from './mcp-messages.ts'
import { mcpMetadataChecks } from './mcp-metadata.ts'
import { negotiationChecks } from './negotiation.ts'
import { notFoundChecks } from './not-found.ts'
import { operationChecks } from './operations-offered.ts'
import { outcomeChecks } from './outcomes.ts'
import { platformKeyChecks } from './platform-keys.ts'
import { profileReadingChecks } from './platform-profile-contents.ts'
import { profileFetchingChecks } from './platform-profile-fetching.ts'
import { profileAccessChecks } from './profile-access.ts'
import { profileContentChecks } from './profile-contents.ts'
import { profilePolicyChecks } from './profile-policy.ts'
import { restBodyChecks } from './rest-bodies.ts'
import { restRouteChecks } from './rest-routes.ts'
import { successChecks } from './successes.ts'
import { ucpProfileChecks } from './ucp-profile.ts'
import { ucpRegistrationChecks } from './ucp-registration.ts'

/** The checks of the profiles, of the two bindings, and of the errors. */
export const protocolChecks: Check[] = [
  ...profileAccessChecks,
  ...profileContentChecks,
  ...profilePolicyChecks,
  ...ucpProfileChecks,
  ...agentNamingChecks,
  ...profileFetchingChecks,
  ...profileReadingChecks,
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
  ...paymentOutcomeChecks,
]
