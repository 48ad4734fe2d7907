import type { Check } from '../check.ts'
import { buyerTaskChecks } from './buyer-tasks.ts'
import { checkoutAccessChecks } from './checkout-access.ts'
import { checkoutCancelChecks } from './checkout-cancel.ts'
import { checkoutCompletionChecks } from './checkout-completion.ts'
import { checkoutCreationChecks } from './checkout-creation.ts'
import { checkoutExpiryChecks } from './checkout-expiry.ts'
import { checkoutHoldChecks } from './checkout-holds.ts'
import { checkoutPaymentChecks } from './checkout-payment.ts'
import { checkoutPriceChecks } from './checkout-prices.ts'
import { checkoutRaceChecks } from './checkout-races.ts'
import { checkoutRetryChecks } from './checkout-retries.ts'
import { checkoutUpdateChecks } from './checkout-update.ts'
import { confirmationGuardChecks } from './confirmation-guard.ts'
import { depositChecks } from './deposits.ts'
import { payAtServiceChecks } from './pay-at-service.ts'
import { ucpCapabilityChecks } from './ucp-capabilities.ts'
import { ucpIdentityChecks } from './ucp-identity.ts'

/** The checks of a business in the mode UCP-Native, and of its checkout. */
export const ucpChecks: Check[] = [
  ...ucpCapabilityChecks,
  ...ucpIdentityChecks,
  ...checkoutCreationChecks,
  ...checkoutPriceChecks,
  ...checkoutUpdateChecks,
  ...checkoutHoldChecks,
  ...checkoutExpiryChecks,
  ...checkoutCompletionChecks,
  ...payAtServiceChecks,
  ...depositChecks,
  ...checkoutPaymentChecks,
  ...checkoutCancelChecks,
  ...checkoutRetryChecks,
  ...checkoutRaceChecks,
  ...checkoutAccessChecks,
  ...confirmationGuardChecks,
  ...buyerTaskChecks,
]
