import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import {
  askForCheckout,
  expectMessage,
  needs,
  PAY_AT_SERVICE,
  platformWithout,
  serviceWith,
  TERMS,
} from './checkout-steps.ts'

const only = 'rest'
/** The first version of UCP that the extension for paid bookings accepts. */
const FIRST_VERSION = '2026-08-25'

export const ucpCapabilityChecks = [
  check(
    'LIV-122',
    'A business with paid bookings offers checkouts and orders in a version of UCP that fits',
    async ({ target: { capabilities } }) => {
      for (const name of ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.order']) {
        const versions = expectList(capabilities[name], name).map(({ version }) => String(version))
        const fits = versions.some((version) => version >= FIRST_VERSION)
        expectTrue(fits, `${name} in version ${FIRST_VERSION} or later`, versions)
      }
    },
    { only, needs: ['services.paid_bookings'] },
  ),
  check(
    'LIV-129',
    'A business that lets buyers pay at the service offers payment terms, too',
    async ({ target }) => {
      expectTrue(target.capability(TERMS) !== undefined, TERMS, Object.keys(target.capabilities))
    },
    { only, needs: [PAY_AT_SERVICE] },
  ),
  check(
    'LIV-129 LIV-017',
    'A platform without payment terms gets no checkout of a price that is paid at the service',
    async (c) => {
      const slot = await c.slot(serviceWith(c, 'at_service'))
      const answer = await askForCheckout(c, slot, { platform: platformWithout(c, TERMS) })
      expectMessage(answer, 'capabilities_incompatible')
      expectEqual(answer.refusal?.severity, 'unrecoverable', 'severity')
      expectEqual(answer.result?.id, undefined, 'the id of a checkout')
    },
    { needs: [...needs, PAY_AT_SERVICE] },
  ),
]
