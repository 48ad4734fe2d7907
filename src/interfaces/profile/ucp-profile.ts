import type { BusinessProfile, UcpBusinessProfile } from '../../protocol/types.generated.ts'

/** Of UCP: the latest whose profile has the form that the protocol builds on, capabilities by name. */
const UCP_VERSION = '2026-04-08'

/**
 * The business profile in the form of UCP. Nothing of USP may stand at the top of that document, so each binding tells
 * how to authenticate there. UCP wants it said who handles payments; nobody does, since there is no UCP checkout here.
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
      payment_handlers: {},
      business,
    },
    keys,
    signing_keys: keys,
  }
}
