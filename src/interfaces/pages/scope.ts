import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../infra/config/config.ts'
import type { CountingDependencies } from '../../pipeline/check-rate.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { compressedPage } from '../http/compression.ts'
import { guardedBeforeBody, rateLimited } from '../http/guards.ts'
import { failure } from './failures.ts'
import { readForm, readQuery } from './form.ts'
import { type Answer, headersOf, type PageViewer, page } from './layout.ts'
import { chooseLanguage, localizerOfPage } from './page-language.ts'

const FORM_BYTES = 256 * 1024

type PagesDependencies = CountingDependencies & Dependencies<'config'>

/** Settings of all pages: they accept forms, have private headers, choose a language and show errors as pages. */
export function pageScope(
  scope: FastifyInstance,
  dependencies: PagesDependencies,
  headers: Record<string, string> = privateHeaders,
  show: typeof send = send,
) {
  scope.removeAllContentTypeParsers()
  chooseLanguage(scope, dependencies)
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    async (_: FastifyRequest, body: string) => readForm(body),
  )
  scope.addHook('onSend', async (_, reply) => {
    reply.headers(headers).removeHeader('x-frame-options')
  })
  scope.setErrorHandler(async (error, request, reply) => show(reply, failure(error, request, reply), dependencies))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isFramed?: true
  }
}

/** Counts each request before reading its body. */
export const pageRoute = (dependencies: CountingDependencies) =>
  guardedBeforeBody('page', rateLimited(dependencies, 'page'))

/**
 * Pages of the booking flow, which the website of the business may frame. Other pages with personal data cannot be
 * framed.
 */
export function framedRoute(dependencies: CountingDependencies) {
  const { config, ...guards } = pageRoute(dependencies)
  return { ...guards, config: { ...config, isFramed: true as const } }
}

/** Pages and their secret URLs are only for the buyer: no cache, no referrer, no index. */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
}

export const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

export const queryOf = ({ url }: Pick<FastifyRequest, 'url'>) => readQuery(url)

/** Public pages are not cached, because free times change. Search engines may index them, and referrers are allowed. */
export const publicHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export async function send(
  reply: FastifyReply,
  answer: Answer,
  { business, config }: Dependencies<'business' | 'config'>,
) {
  if ('to' in answer) return reply.redirect(answer.to, 303)
  const definition = await business.get().catch(() => undefined)
  const { request } = reply
  const looking: PageViewer = {
    localizer: localizerOfPage(request),
    definition,
    baseUrl: config.baseUrl,
    query: queryOf(request),
    ...(request.routeOptions.config.isFramed && { framedBy: definition?.website?.origins ?? [] }),
  }
  const shown = await compressedPage(page(answer, looking), reply)
  return reply.code(answer.status).headers(headersOf(answer, looking)).send(shown)
}

/**
 * Whether a form comes from a page of another site. The secret in the URL gives access.
 * This check stops other sites from submitting forms in the browser of a buyer. Our pages send no referrer, so their
 * Origin is `null`.
 */
export function isForeign({ headers }: Pick<FastifyRequest, 'headers'>, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOther = origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin
  return isOther || (site !== undefined && site !== 'same-origin' && site !== 'none')
}
