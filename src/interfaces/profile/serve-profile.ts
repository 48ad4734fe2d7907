import type { FastifyInstance } from 'fastify'
import { policyOf } from '../../core/authentication/authentication-policy.ts'
import { notSetUp } from '../../core/business/definition-facts.ts'
import { publicSigningKeys } from '../../core/keys/signing-keys.ts'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { deploymentOf, standalone, ucpNative } from '../../protocol/deployment-modes.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { sendProblem } from '../http/problem-details.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import { businessProfile } from './business-profile.ts'
import { ucpProfile } from './ucp-profile.ts'

type ProfileDependencies = CountingDependencies &
  Dependencies<'readAtStandby' | 'config' | 'operations'> & { accessTokens: AccessTokens; ucpOperations: Operation[] }

const cacheFor = (seconds: number) => `public, max-age=${seconds}`
const CACHE_COMPLETE = cacheFor(300)
/**
 * The `Cache-Control` header of an incomplete profile. A profile is incomplete while the server does not know the URL
 * that issues tokens. The protocol requires a cache time of at least one minute.
 */
const CACHE_INCOMPLETE = cacheFor(60)
const OLDER = '/.well-known/usp-:version'

/**
 * Serves the business profile, in which the business describes itself to platforms. Its path depends on the deployment
 * mode, and the path of the other mode answers 404. Also serves the profiles for older protocol versions.
 */
export function serveProfile(app: FastifyInstance, dependencies: ProfileDependencies) {
  const { business, ucpOperations, config } = dependencies
  const profile = allowAnyOrigin(guarded('profile', rateLimited(dependencies, 'profile')))
  for (const deployment of [standalone, ucpNative]) {
    const { profilePath } = deployment
    app.get(profilePath, profile, async (_, reply) => {
      const definition = await business.get()
      if (deploymentOf(definition) !== deployment) return reply.callNotFound()
      if (!definition) return sendProblem(reply, notSetUp())
      const current = await currentProfile(definition, dependencies)
      const offer = { definition, ucpOperations, config }
      const document = deployment === ucpNative ? ucpProfile(current.profile, offer) : current.profile
      return reply.header('cache-control', current.cache).send(document)
    })
    refuseOtherMethods(app, profilePath, ['GET'])
  }
  app.get<{ Params: { version: string } }>(OLDER, profile, async (request, reply) => {
    const older = (await business.get())?.supported_versions ?? {}
    const document = Object.hasOwn(older, request.params.version) ? older[request.params.version] : undefined
    return document ? reply.header('cache-control', CACHE_COMPLETE).send(document) : reply.callNotFound()
  })
  refuseOtherMethods(app, OLDER, ['GET'])
}

async function currentProfile(
  definition: BusinessDefinition,
  {
    readAtStandby,
    clock,
    config,
    operations,
    accessTokens,
  }: Dependencies<'readAtStandby' | 'clock' | 'config' | 'operations'> & { accessTokens: AccessTokens },
) {
  const { accepted, oauthIssuer } = policyOf(definition, config)
  const takesTokens = accepted.includes('oauth2_bearer')
  const tokenEndpoint = takesTokens ? accessTokens.tokenEndpoint(oauthIssuer) : undefined
  const keys = await readAtStandby((db) => publicSigningKeys(db, clock()))
  return {
    profile: businessProfile(definition, { keys, operations, tokenEndpoint }, config),
    cache: takesTokens && tokenEndpoint === undefined ? CACHE_INCOMPLETE : CACHE_COMPLETE,
  }
}
