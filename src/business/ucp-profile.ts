import type { BusinessProfile, UcpBusinessProfile } from '../protocol/types.generated.ts'

/** Of UCP: the version whose profile form the protocol builds on. */
const UCP_VERSION = '2026-01-11'

/**
 * The business profile in the form of UCP. Nothing of USP may stand at the top of that document, so each binding tells
 * how to authenticate there. Payments are left out: they are for UCP checkout, and there is none here.
 */
export function ucpProfile({ usp, keys = [], authorization }: BusinessProfile): UcpBusinessProfile {
  const { services, capabilities, business } = usp
  return {
    ucp: {
      version: UCP_VERSION,
      services: Object.fromEntries(
        Object.entries(services).map(([name, bindings]) => [
          name,
          bindings.map((binding) => ({ ...binding, ...(authorization && { config: { authorization } }) })),
        ]),
      ),
      capabilities,
      business,
    },
    keys,
    signing_keys: keys,
  }
}
