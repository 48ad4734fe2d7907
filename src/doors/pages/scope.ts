import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import { counted, guardedFirst } from '../http/guards.ts'
import { failure } from './failures.ts'
import { readForm } from './form.ts'
import { headersOf, page, type View } from './layout.ts'

const FORM_BYTES = 256 * 1024

/** What the scope of all pages shares: they take forms, are for the buyer alone, and tell a person what went wrong. */
export function pageScope(scope: FastifyInstance, means: CountingMeans) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    async (_: FastifyRequest, body: string) => readForm(body),
  )
  scope.addHook('onSend', async (_, reply) => {
    reply.headers(privateHeaders).removeHeader('access-control-allow-origin')
  })
  scope.setErrorHandler(async (error, request, reply) => send(reply, failure(error, request, reply), means))
}

/** Each is counted before what comes with it is read. */
export const pageRoute = (means: CountingMeans) => guardedFirst('page', counted(means, 'page'))

/** The pages and their secret addresses are for the buyer alone: no cache, no referrer, no index. */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
}

export const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

export async function send(reply: FastifyReply, answer: View | { to: string }, { business }: Means<'business'>) {
  if ('to' in answer) return reply.redirect(answer.to, 303)
  const definition = await business.get().catch(() => undefined)
  return reply.code(answer.status).headers(headersOf(answer)).send(page(answer, definition?.business))
}
