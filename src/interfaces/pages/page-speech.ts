import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseSpeech } from '../../infra/i18n/choose-speech.ts'
import { english, type Speech, speechOf } from '../../infra/i18n/speech.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import type { Means } from '../../protocol/means.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { cookieOf, everywhere } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The localizer for the visitor. */
    speech: Speech
  }
}

const COOKIE = 'lang'
const YEAR = 365 * 24 * 3600

/** Chooses the language before all other steps, because error pages need it too. */
export function speakTo(scope: FastifyInstance, { business, config }: Means<'business' | 'config'>) {
  scope.decorateRequest('speech')
  scope.addHook('onRequest', async (request, reply) => {
    const asked = askedFor(request)
    const definition = await business.get().catch(() => undefined)
    request.speech = speechOfVisitor(asked, request, definition)
    if (asked !== undefined && speechOf(asked)) remember(reply, request.speech, config.baseUrl)
  })
}

/** The language in the URL, an earlier choice, the browser setting, or else that of the business. */
export const speechOfVisitor = (
  asked: string | undefined,
  request: Pick<FastifyRequest, 'headers'>,
  definition: BusinessDefinition | undefined,
): Speech =>
  chooseSpeech({
    ...{ asked, chosen: cookieOf(request, COOKIE), acceptLanguage: request.headers['accept-language'] },
    usual: definition?.business.language,
  })

export const speechFor = ({ speech }: FastifyRequest): Speech => speech ?? english()

const askedFor = ({ query }: FastifyRequest): string | undefined => {
  const { lang } = recordOf(query)
  return typeof lang === 'string' ? lang : undefined
}

function remember(reply: FastifyReply, { language }: Speech, baseUrl: string) {
  reply.header('set-cookie', `${COOKIE}=${language}; Path=/; Max-Age=${YEAR}; ${everywhere(baseUrl)}`)
}
