import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { ucpNative } from '../protocol/deployment.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isStorable } from '../protocol/text.ts'
import type { Runtime } from '../runtime.ts'
import { checkDigest } from '../trust/check-digest.ts'
import { countCall } from '../trust/check-rate.ts'
import { countFailureOf, isFailure, refuseGuessing } from '../trust/failed-attempts.ts'
import { proveSignature } from '../trust/schemes/http-message-signature.ts'
import { NOTICES } from './addresses.ts'
import { onlyIfEnabled } from './only-if-enabled.ts'
import { noticeKeep, profileUrlOf } from './subscription-queries.ts'

const PATH = `${NOTICES}/:id`
/** Seconds for which a signed notice counts. */
const OLDEST = 300

/**
 * Where listed businesses tell that their catalogue changed. A notice that they signed has them read soon, and nothing
 * it says is taken for true: so it does not matter either whether one comes twice.
 */
export function serveNotices(app: FastifyInstance, runtime: Runtime) {
  const { db, clock } = runtime
  const hooks = onlyIfEnabled(runtime)
  app.post<{ Params: { id: string } }>(PATH, { ...hooks, config: { operation: 'notice' } }, async (request, reply) => {
    const { id } = request.params
    refuseGuessing(runtime, request.ip, clock())
    const profileUrl = isStorable(id) ? await profileUrlOf(db, id) : undefined
    if (profileUrl === undefined)
      throw new ProtocolError('registration_not_found', 'No such business is listed here, or not any more.')
    await checkSender(request, profileUrl, runtime)
    await countCall(runtime, 'other', `notices ${id}`)
    await noticeKeep(db, id)
    return reply.header('cache-control', 'no-store').code(204).send()
  })
  refuseOtherMethods(app, PATH, ['POST'], hooks)
}

async function checkSender({ method, originalUrl, body, headers, ip }: FastifyRequest, url: string, runtime: Runtime) {
  const { config, businesses, business, clock } = runtime
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
      runtime: { config, profiles: businesses },
      policy: { signatureAge: OLDEST, dated: true },
      now: clock(),
    })
  } catch (error) {
    if (error instanceof ProtocolError && isFailure(error))
      await countFailureOf(ip, runtime, (await business.get())?.limits, clock())
    throw error
  }
}
