import { expect, test } from 'vitest'
import { fromStripe, stripeStep, toStripe } from '../../src/domain/payments/stripe-session.ts'

test.each([
  ['USD', 1999, 1999],
  ['JPY', 5000, 5000],
  ['KWD', 12340, 12340],
  // No decimals by ISO 4217, two by Stripe.
  ['ISK', 5000, 500_000],
  ['ugx', 5000, 500_000],
  // The other way round.
  ['MGA', 500_000, 5000],
])('an amount of %s is asked for as Stripe counts it, and read back', (currency, ours, theirs) => {
  expect(toStripe(ours, currency)).toBe(theirs)
  expect(fromStripe(theirs, currency)).toBe(ours)
})

test.each([
  ['USD', 1],
  ['JPY', 1],
  ['ISK', 1],
  ['KWD', 10],
  ['bhd', 10],
  ['MGA', 100],
])('an amount of %s must be a multiple of %i', (currency, step) => expect(stripeStep(currency)).toBe(step))
