import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { capabilities, VERSION } from '../protocol/capabilities.ts'
import type { PlatformProfile, SigningKey } from '../protocol/types.generated.ts'
import type { Runtime } from '../runtime.ts'
import { countAddress } from '../trust/check-rate.ts'
import { publicSigningKeys } from '../trust/signing-keys.ts'
import { PLATFORM_PROFILE } from './addresses.ts'
import { onlyIfEnabled } from './only-if-enabled.ts'

const CATALOGUE = 'dev.usp-protocol.services.catalog'
const SUBSCRIPTIONS = 'dev.usp-protocol.services.catalog.subscriptions'

/** The registry is a platform to the businesses that it reads: it follows catalogues, and nothing more. */
export function servePlatformProfile(app: FastifyInstance, runtime: Runtime) {
  const { db, clock } = runtime
  const hooks = onlyIfEnabled(runtime)
  app.get(PLATFORM_PROFILE, { ...hooks, config: { operation: 'profile' } }, async ({ ip }, reply) => {
    reply.headers(await countAddress(runtime, 'profile', ip))
    return reply.header('cache-control', 'public, max-age=300').send(profileWith(await publicSigningKeys(db, clock())))
  })
  refuseOtherMethods(app, PLATFORM_PROFILE, ['GET'], hooks)
}

const profileWith = (keys: SigningKey[]): PlatformProfile => ({
  usp: {
    version: VERSION,
    capabilities: { [CATALOGUE]: [capabilities[CATALOGUE]], [SUBSCRIPTIONS]: [capabilities[SUBSCRIPTIONS]] },
  },
  keys,
  signing_keys: keys,
})
