import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unseal } from '../../core/keys/encrypt-secrets.ts'
import { ForgedReplyError, type TextReply } from '../../core/texts/text-adapter.ts'
import { textAdapters } from '../../core/texts/text-adapters.ts'
import { actOnTextReply } from '../../domain/notifications/act-on-text-reply.ts'
import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'

type ReplyDependencies = CountingDependencies & Dependencies<'makeChange' | 'config' | 'textProviderKey'>

const PATH = '/text-messages/:adapter'
const MOST_BYTES = 16 * 1024

/**
 * Receives the messages with which buyers answer, as calls of the provider of text messages.
 */
export function serveTextReplies(scope: FastifyInstance, dependencies: ReplyDependencies) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
  scope.post(
    PATH,
    guarded('text_reply', withoutGuard('signed by the provider; who forges it is counted')),
    async (request, reply) => {
      const provider = await dependencies.business.textProvider()
      if (!provider || asRecord(request.params).adapter !== provider.adapter) return reply.callNotFound()
      const received = await read(request, provider, dependencies)
      await dependencies.makeChange((tx) => actOnTextReply(tx, received, provider, dependencies.clock()))
      const { status, type, body } = textAdapters[provider.adapter].replyAnswer
      return reply.code(status).header('cache-control', 'no-store').type(type).send(body)
    },
  )
  refuseOtherMethods(scope, PATH, ['POST'])
}

async function read(
  { body, headers, url, ip }: FastifyRequest,
  { adapter, secret }: StoredTextProvider,
  dependencies: ReplyDependencies,
): Promise<TextReply> {
  const { config, clock, textProviderKey } = dependencies
  const call = {
    url: `${config.baseUrl}${url}`,
    header: (name: string) => String(headers[name] ?? ''),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    now: clock(),
  }
  try {
    return textAdapters[adapter].readReply(call, unseal(textProviderKey, secret))
  } catch (error) {
    if (!(error instanceof ForgedReplyError)) throw error
    await countAddress(dependencies, 'text_reply', ip)
    throw new ProtocolError('invalid_request', 'This has no valid signature of the provider, or it is too old.')
  }
}
