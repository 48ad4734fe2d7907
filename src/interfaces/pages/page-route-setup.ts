import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../infra/config/read-config.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { compressedPage } from '../http/compression.ts'
import { guardedBeforeBody, rateLimited } from '../http/route-guards.ts'
import { chooseLanguage, localizerOfPage } from './choose-page-language.ts'
import { failure } from './error-pages.ts'
import { type Answer, headersOf, type PageViewer, page } from './page-layout.ts'
import { readForm, readQuery } from './read-form-and-query.ts'

const FORM_BYTES = 256 * 1024

type PagesDependencies = CountingDependencies & Dependencies<'config'>

/**
 * Prepares a group of routes (a Fastify scope) for pages. The routes accept forms, choose a language, and show errors
 * as pages. By default, they send the headers of private pages.
 */
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

/**
 * Returns the options of a route for a page. Each request counts against the rate limit before the server reads the
 * body of the request.
 */
export const pageRoute = (dependencies: CountingDependencies) =>
  guardedBeforeBody('page', rateLimited(dependencies, 'page'))

/**
 * Returns the options of a route whose page the website of the business may show in a frame, such as a page of the
 * booking flow. Without these options, no website may show the page in a frame.
 */
export function framedRoute(dependencies: CountingDependencies) {
  const { config, ...guards } = pageRoute(dependencies)
  return { ...guards, config: { ...config, isFramed: true as const } }
}

/**
 * The headers of private pages. Only the buyer may see the page and its secret URL, so the headers forbid caching,
 * referrers and indexing.
 */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
}

export const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

export const queryOf = ({ url }: Pick<FastifyRequest, 'url'>) => readQuery(url)

/**
 * The headers of public pages. They forbid caching, because free times change. They allow indexing by search engines,
 * and referrers, because the URL is not secret.
 */
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
 * Whether a page of another site sent the form. The server refuses such a form, because the buyer did not intend it.
 * For private pages of this server, browsers send `Origin: null`, so this value is allowed.
 */
export function isForeign({ headers }: Pick<FastifyRequest, 'headers'>, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOther = origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin
  return isOther || (site !== undefined && site !== 'same-origin' && site !== 'none')
}
