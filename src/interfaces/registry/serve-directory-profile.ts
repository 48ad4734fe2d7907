import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicSigningKeys } from '../../core/keys/signing-keys.ts'
import { PLATFORM_PROFILE } from '../../domain/registry/indexing/directory-urls.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import { capabilities, hasRegistry, VERSION } from '../../protocol/capabilities.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { PlatformProfile, SigningKey } from '../../protocol/types.generated.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'

const CATALOGUE = 'dev.usp-protocol.services.catalog'
const SUBSCRIPTIONS = 'dev.usp-protocol.services.catalog.subscriptions'

/**
 * Serves the platform profile, with which the directory identifies itself. The directory reads the catalogs of other
 * businesses as a platform. The profile lists only the operations for the catalog and for subscriptions to its changes.
 */
export function servePlatformProfile(app: FastifyInstance, dependencies: CountingDependencies) {
  const { db, clock } = dependencies
  const hooks = onlyIfEnabled(dependencies)
  app.get(
    PLATFORM_PROFILE,
    { ...hooks, ...allowAnyOrigin(guarded('profile', rateLimited(dependencies, 'profile'))) },
    async (_, reply) => {
      return reply
        .header('cache-control', 'public, max-age=300')
        .send(profileWith(await publicSigningKeys(db, clock())))
    },
  )
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

export const onlyIfEnabled = ({ business }: Dependencies<'business'>) => ({
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
    if (!hasRegistry(await business.get())) return reply.callNotFound()
  },
})
