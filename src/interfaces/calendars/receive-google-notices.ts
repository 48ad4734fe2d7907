import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GOOGLE_NOTICES_PATH, sourceOfNotice } from '../../domain/busy-times/google/watch-calendar.ts'
import { sourceChanged } from '../../domain/busy-times/source-queries.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'

type NoticeDependencies = CountingDependencies & Dependencies<'makeChange' | 'tag'>

const MOST_BYTES = 16 * 1024

/**
 * Receives the notices with which Google reports that a calendar has changed. A notice contains no events. The server
 * only reads the calendar soon.
 */
export function serveGoogleNotices(scope: FastifyInstance, dependencies: NoticeDependencies) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
  scope.post(
    GOOGLE_NOTICES_PATH,
    guarded('calendar_notice', withoutGuard('proves itself with the secret of its channel; who forges it is counted')),
    async (request, reply) => {
      const header = (name: string) => String(request.headers[name] ?? '')
      const source = sourceOfNotice(header('x-goog-channel-id'), header('x-goog-channel-token'), dependencies.tag)
      if (source === undefined) return refuseForged(request, dependencies)
      // With `sync`, Google only says that it has opened the channel.
      if (header('x-goog-resource-state') === 'sync') return reply.code(204).send()
      const isKnown = await dependencies.makeChange((tx) => sourceChanged(tx, source, dependencies.clock()))
      return isKnown ? reply.code(204).send() : reply.callNotFound()
    },
  )
  refuseOtherMethods(scope, GOOGLE_NOTICES_PATH, ['POST'])
}

async function refuseForged({ ip }: FastifyRequest, dependencies: NoticeDependencies): Promise<never> {
  await countAddress(dependencies, 'calendar_notice', ip)
  throw new ProtocolError('invalid_request', 'This has no valid secret of a channel.')
}
