import type { BusinessProfile, UcpBusinessProfile } from '../../protocol/types.generated.ts'

/** The latest UCP version with capabilities by name, as the protocol requires. */
const UCP_VERSION = '2026-04-08'

/**
 * The business profile in UCP form. USP members may not stand at its top level, so each binding has the authorization. UCP
 * requires `payment_handlers`; it is empty because this server has no UCP checkout.
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
