import { type Answer, asMembers } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectList, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { isPaidAhead } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { askForCheckout, checkoutOf, checkoutsOf, isPlain, needs, readCheckout } from './checkout-steps.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

/** A catalogue can have many services, and each try holds a slot. */
const MAX_TRIES = 12

const isPending = ({ result }: Answer): boolean => {
  const actions = asMembers(result?.booking)?.actions
  return expectList(actions ?? [], 'actions').some(({ status }) => status === 'pending')
}

/** A checkout with an open task of the buyer. Skips the check if no service of the catalogue has such tasks. */
async function checkoutWithTask(c: CheckContext): Promise<Answer> {
  const unpaidFirst = c.services.filter(isPlain).toSorted((a, b) => Number(isPaidAhead(a)) - Number(isPaidAhead(b)))
  for (const service of unpaidFirst.slice(0, MAX_TRIES)) {
    const taken = await c.takeSlot(service).catch(() => undefined)
    if (!taken) continue
    c.afterwards(taken.giveBack)
    const answer = await askForCheckout(c, taken.slot)
    if (isPending(answer)) return answer
  }
  throw new Skip('No checkout of the catalogue has a task of the buyer.')
}

export const buyerTaskChecks = [
  check(
    'LIV-130 LIV-052',
    'A checkout is neither ready nor completed while the buyer has not done a task of the service',
    async (c) => {
      const checkout = checkoutOf(await checkoutWithTask(c))
      expectTrue(checkout.status !== 'ready_for_complete', 'a checkout that is not ready', checkout.status)
      expectText(checkout.continue_url, 'continue_url')
      const checkouts = checkoutsOf(c)
      const answer = await checkouts.call('completeCheckout', { id: checkout.id })
      expectTrue(answer.result?.status !== 'completed', 'a checkout that is not completed', answer.result?.status)
      await expectNotBooked(c, checkouts, checkout)
      const { status } = await readCheckout(checkouts, checkout.id)
      expectTrue(status !== 'ready_for_complete', 'a checkout that is not ready', status)
    },
    { needs },
  ),
]
