import type { Answer } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectTrue, inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectOffered } from '../transactions/slots-and-bookings.ts'
import {
  askForCheckout,
  checkoutOf,
  checkoutRequest,
  checkoutsOf,
  needs as ofCheckouts,
  openCheckout,
  readCheckout,
  unpaidService,
} from './checkout-steps.ts'
import type { UcpInput, UcpOperation } from './ucp-caller.ts'

const needs = [...ofCheckouts, 'services.bookings']
const UNKNOWN_CHECKOUT = 'checkout_of_nobody'

/** The part of a refusal that must not depend on the checkout. */
function outline({ status, error, messages }: Answer): unknown {
  return { status, number: error?.number, code: error?.code, messages: messages.map(({ type, code }) => [type, code]) }
}

/** Requires an answer without a checkout or an order. */
function expectNothingOf(answer: Answer): void {
  const { result, refusal, error } = answer
  expectEqual([result?.id, result?.booking], [undefined, undefined], 'the checkout in the answer')
  expectTrue((refusal ?? error) !== undefined, 'a refusal', answer.text)
}

export const checkoutAccessChecks = [
  check(
    'AUT-033 AUT-058',
    'A checkout of another platform is answered like an unknown one, and does not change',
    async (c) => {
      const { slot, checkout, checkouts, id } = await openCheckout(c)
      const other = checkoutsOf(c, c.newPlatform())
      const calls: [UcpOperation, UcpInput][] = [
        ['getCheckout', {}],
        ['updateCheckout', { checkout: checkoutRequest(c, slot) }],
        ['completeCheckout', {}],
        ['cancelCheckout', {}],
      ]
      for (const [name, input] of calls) {
        const foreign = await other.call(name, { ...input, id })
        const unknown = await other.call(name, { ...input, id: UNKNOWN_CHECKOUT })
        inCase(name, () => {
          for (const answer of [foreign, unknown]) expectNothingOf(answer)
          expectEqual(outline(foreign), outline(unknown), 'the answer')
        })
      }
      expectEqual(await readCheckout(checkouts, id), checkout, 'the checkout')
    },
    { needs },
  ),
  check(
    'AUT-033 AUT-058',
    'An order of another platform is answered like an unknown one',
    async (c) => {
      const { checkouts, id } = await openCheckout(c)
      const { order } = checkoutOf(await checkouts.call('completeCheckout', { id }))
      const other = checkoutsOf(c, c.newPlatform())
      const foreign = await other.call('getOrder', { id: expectMembers(order, 'order').id })
      const unknown = await other.call('getOrder', { id: 'order_of_nobody' })
      for (const answer of [foreign, unknown]) expectNothingOf(answer)
      expectEqual(outline(foreign), outline(unknown), 'the answer')
    },
    { needs: [...needs, 'dev.ucp.shopping.order'] },
  ),
  check(
    'LIV-101 AUT-043',
    'A caller without authentication gets no checkout, although the checkout bindings have no policy',
    async (c) => {
      if (c.target.policy?.privileged_operations_require_authentication !== true)
        throw new Skip('The policy of the business demands no authentication.')
      const slot = await c.slot(unpaidService(c))
      const answer = await askForCheckout(c, slot, { options: { authentication: 'none' } })
      answer.failsWith('authentication_required', { rest: 401, mcp: [-32000, -32006] })
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-101 AUT-055',
    'The checkout accepts a proof of the key as the other privileged operations do',
    async (c) => {
      if (!c.target.mechanisms.includes('platform_key_pop'))
        throw new Skip('The business does not accept platform_key_pop.')
      const slot = await c.slot(unpaidService(c))
      const answer = await askForCheckout(c, slot, { options: { authentication: 'proof' } })
      const { id } = checkoutOf(answer)
      expectEqual((await readCheckout(checkoutsOf(c), id)).id, id, 'id of the checkout')
    },
    { needs, only: 'rest' },
  ),
]
