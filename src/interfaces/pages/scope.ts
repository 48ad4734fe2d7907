import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import { compressedPage } from '../http/compressed.ts'
import { counted, guardedFirst } from '../http/guards.ts'
import { failure } from './failures.ts'
import { readForm, readQuery } from './form.ts'
import { type Answer, headersOf, type Looking, page } from './layout.ts'
import { speakTo, speechFor } from './page-speech.ts'

const FORM_BYTES = 256 * 1024

type PagesMeans = CountingMeans & Means<'config'>

/**
 * What the scope of all pages shares: they take forms, are for who looks at them alone, speak a language, and tell a person
 * what went wrong.
 */
export function pageScope(
  scope: FastifyInstance,
  means: PagesMeans,
  headers: Record<string, string> = privateHeaders,
  show: typeof send = send,
) {
  scope.removeAllContentTypeParsers()
  speakTo(scope, means)
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    async (_: FastifyRequest, body: string) => readForm(body),
  )
  scope.addHook('onSend', async (_, reply) => {
    reply.headers(headers).removeHeader('x-frame-options')
  })
  scope.setErrorHandler(async (error, request, reply) => show(reply, failure(error, request, reply), means))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isFramed?: true
  }
}

/** Each is counted before what comes with it is read. */
export const pageRoute = (means: CountingMeans) => guardedFirst('page', counted(means, 'page'))

/** What is part of booking on the business's own site: that shows it in a frame. Whatever else shows who somebody is does not. */
export function framedRoute(means: CountingMeans) {
  const { config, ...guards } = pageRoute(means)
  return { ...guards, config: { ...config, isFramed: true as const } }
}

/** The pages and their secret addresses are for the buyer alone: no cache, no referrer, no index. */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
}

export const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

export const queryOf = ({ url }: Pick<FastifyRequest, 'url'>) => readQuery(url)

/** What anybody may see is not kept either, since free times change, but it may be found and pointed to. */
export const publicHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export async function send(reply: FastifyReply, answer: Answer, { business, config }: Means<'business' | 'config'>) {
  if ('to' in answer) return reply.redirect(answer.to, 303)
  const definition = await business.get().catch(() => undefined)
  const { request } = reply
  const looking: Looking = {
    ...{ speech: speechFor(request), definition, baseUrl: config.baseUrl, query: queryOf(request) },
    ...(request.routeOptions.config.isFramed && { framedBy: definition?.website?.origins ?? [] }),
  }
  const shown = await compressedPage(page(answer, looking), reply)
  return reply.code(answer.status).headers(headersOf(answer, looking)).send(shown)
}
