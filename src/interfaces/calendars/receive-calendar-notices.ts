import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GOOGLE_NOTICES_PATH } from '../../domain/busy-times/google/watch-calendar.ts'
import { MICROSOFT_NOTICES_PATH } from '../../domain/busy-times/microsoft/watch-calendar.ts'
import { sourceOfNotice } from '../../domain/busy-times/oauth/channels.ts'
import { sourceChanged } from '../../domain/busy-times/source-queries.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { parseJson } from '../../protocol/parse-json-safely.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'

type NoticeDependencies = CountingDependencies & Dependencies<'makeChange' | 'tag'>

const MOST_BYTES = 64 * 1024
/** The maximum number of notices in one call. */
const MOST_NOTICES = 100

/**
 * Receives the notices with which providers report that a calendar has changed. The server uses nothing of a notice but
 * the name of the channel. It only reads the calendar soon.
 */
export function serveCalendarNotices(scope: FastifyInstance, dependencies: NoticeDependencies) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
  const options = guarded(
    'calendar_notice',
    withoutGuard('proves itself with the secret of its channel; forged notices are counted by address'),
  )
  scope.post(GOOGLE_NOTICES_PATH, options, (request, reply) => receiveFromGoogle(request, reply, dependencies))
  scope.post(MICROSOFT_NOTICES_PATH, options, (request, reply) => receiveFromMicrosoft(request, reply, dependencies))
  for (const path of [GOOGLE_NOTICES_PATH, MICROSOFT_NOTICES_PATH]) refuseOtherMethods(scope, path, ['POST'])
}

async function receiveFromGoogle(request: FastifyRequest, reply: FastifyReply, dependencies: NoticeDependencies) {
  const header = (name: string) => String(request.headers[name] ?? '')
  const source = sourceOfNotice(header('x-goog-channel-id'), header('x-goog-channel-token'), dependencies.tag)
  if (source === undefined) return refuseForged(request, dependencies)
  // With `sync`, Google only says that it has opened the channel.
  if (header('x-goog-resource-state') === 'sync') return reply.code(204).send()
  const isKnown = await dependencies.makeChange((tx) => sourceChanged(tx, source, dependencies.clock()))
  return isKnown ? reply.code(204).send() : reply.callNotFound()
}

/** The form of a token with which Microsoft checks that this address wants its notices. */
const VALIDATION_TOKEN = /^[\x20-\x7e]{1,1000}$/

async function receiveFromMicrosoft(request: FastifyRequest, reply: FastifyReply, dependencies: NoticeDependencies) {
  const { validationToken: validation } = asRecord(request.query)
  if (typeof validation === 'string' && VALIDATION_TOKEN.test(validation))
    return reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff').send(validation)
  const { tag, makeChange, clock } = dependencies
  const { value } = asRecord(Buffer.isBuffer(request.body) ? parseJson(request.body) : undefined)
  const notices = Array.isArray(value) ? value.slice(0, MOST_NOTICES).map(asRecord) : []
  const sources = notices.map(({ clientState }) => {
    const [channel = '', secret = ''] = String(clientState).split('.')
    return sourceOfNotice(channel, secret, tag)
  })
  const known = [...new Set(sources.flatMap((source) => source ?? []))]
  if (known.length === 0) return refuseForged(request, dependencies)
  await makeChange(async (tx) => {
    for (const source of known.toSorted()) await sourceChanged(tx, source, clock())
  })
  return reply.code(202).send()
}

async function refuseForged({ ip }: FastifyRequest, dependencies: NoticeDependencies): Promise<never> {
  await countAddress(dependencies, 'calendar_notice', ip)
  throw new ProtocolError('invalid_request', 'This has no valid secret of a channel.')
}
