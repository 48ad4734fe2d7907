import type { FastifyInstance, FastifyRequest } from 'fastify'
import { proveSignature } from '../../core/authentication/schemes/http-message-signature.ts'
import { countFailureOf, isFailure } from '../../core/limits/failed-authentication-limit.ts'
import type { PlatformProfiles } from '../../core/profiles/platform-profiles.ts'
import { NOTICES } from '../../domain/registry/indexing/directory-urls.ts'
import { noticeRecord, profileUrlOf } from '../../domain/registry/indexing/subscription-queries.ts'
import { checkDigest } from '../../pipeline/check-content-digest.ts'
import { type CountingDependencies, countCall } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ucpNative } from '../../protocol/deployment-modes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isStorable } from '../../protocol/parse-json-safely.ts'
import { guarded, noGuessing, refuseOtherMethods } from '../http/route-guards.ts'
import { onlyIfEnabled } from './serve-directory-profile.ts'

type NoticeDependencies = CountingDependencies & Dependencies<'config'> & { businesses: PlatformProfiles }

const PATH = `${NOTICES}/:id`
const MAX_SIGNATURE_AGE_SECONDS = 300

/**
 * Receives notices from businesses in the directory about changes of their catalogs. After a notice with a valid
 * signature, the directory soon reads the catalog. It ignores the content of the notice, so a repeated notice does no
 * harm.
 */
export function serveNotices(app: FastifyInstance, dependencies: NoticeDependencies) {
  const { db } = dependencies
  const hooks = onlyIfEnabled(dependencies)
  app.post<{ Params: { id: string } }>(
    PATH,
    { ...hooks, ...guarded('notice', noGuessing(dependencies)) },
    async (request, reply) => {
      const { id } = request.params
      const profileUrl = isStorable(id) ? await profileUrlOf(db, id) : undefined
      if (profileUrl === undefined)
        throw new ProtocolError('registration_not_found', 'No such business is listed here, or it is no longer listed.')
      await checkSender(request, profileUrl, dependencies)
      await countCall(dependencies, 'other', `notices ${id}`)
      await noticeRecord(db, id)
      return reply.header('cache-control', 'no-store').code(204).send()
    },
  )
  refuseOtherMethods(app, PATH, ['POST'], hooks)
}

async function checkSender(
  { method, originalUrl, body, headers, ip }: FastifyRequest,
  url: string,
  dependencies: NoticeDependencies,
) {
  const { config, businesses, business, clock } = dependencies
  const http = { method, target: originalUrl, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }
  try {
    checkDigest({ headers, http })
    await proveSignature({
      call: {
        headers,
        http,
        agent: { url, profile: await businesses.get(url, { address: ip, members: ucpNative.platformMembers }) },
        peer: { address: ip },
        deployment: ucpNative,
      },
      dependencies: { config, profiles: businesses },
      policy: { signatureAge: MAX_SIGNATURE_AGE_SECONDS, dated: true },
      now: clock(),
    })
  } catch (error) {
    if (error instanceof ProtocolError && isFailure(error))
      await countFailureOf(ip, dependencies, (await business.get())?.limits, clock())
    throw error
  }
}
