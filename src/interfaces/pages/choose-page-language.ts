import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseLocalizer } from '../../infra/i18n/choose-localizer.ts'
import { englishLocalizer, type Localizer, localizerFor } from '../../infra/i18n/localizer.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { cookieOf, framedCookieAttributes } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The texts and formats in the language of the visitor. */
    localizer: Localizer
  }
}

const COOKIE = 'lang'
const YEAR = 365 * 24 * 3600

/**
 * Sets the language of each page request. The hook runs before all other steps, because error pages need the language
 * too.
 */
export function chooseLanguage(scope: FastifyInstance, { business, config }: Dependencies<'business' | 'config'>) {
  scope.decorateRequest('localizer')
  scope.addHook('onRequest', async (request, reply) => {
    const requestedLanguage = languageInUrl(request)
    const definition = await business.get().catch(() => undefined)
    request.localizer = localizerOfVisitor(requestedLanguage, request, definition)
    if (requestedLanguage !== undefined && localizerFor(requestedLanguage))
      remember(reply, request.localizer, config.baseUrl)
  })
}

/**
 * Returns the texts and formats for a visitor. The language comes from the first of these sources that exists: the URL,
 * an earlier choice, the setting of the browser, or the business.
 */
export const localizerOfVisitor = (
  requestedLanguage: string | undefined,
  request: Pick<FastifyRequest, 'headers'>,
  definition: BusinessDefinition | undefined,
): Localizer =>
  chooseLocalizer({
    asked: requestedLanguage,
    chosen: cookieOf(request, COOKIE),
    acceptLanguage: request.headers['accept-language'],
    usual: definition?.business.language,
  })

export const localizerOfPage = ({ localizer }: FastifyRequest): Localizer => localizer ?? englishLocalizer()

const languageInUrl = ({ query }: FastifyRequest): string | undefined => {
  const { lang } = asRecord(query)
  return typeof lang === 'string' ? lang : undefined
}

function remember(reply: FastifyReply, { language }: Localizer, baseUrl: string) {
  reply.header('set-cookie', `${COOKIE}=${language}; Path=/; Max-Age=${YEAR}; ${framedCookieAttributes(baseUrl)}`)
}
