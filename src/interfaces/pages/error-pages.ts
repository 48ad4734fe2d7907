import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Localizer, Message, Values } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { asProtocolError, BusinessRefusal, errors, type ProtocolError } from '../../protocol/errors.ts'
import { retryAfterOf } from '../http/problem-details.ts'
import { localizerOfPage } from './choose-page-language.ts'
import type { View } from './page-layout.ts'
import { limitText, refusalText } from './refusal-texts.ts'

type Failure = 'not_found' | 'foreign' | 'unreadable' | 'too_often' | 'not_now' | 'ours'

export const failureView = ({ say }: Localizer, status: number, kind: Failure, values?: Values): View => ({
  status,
  title: say(`failure.${kind}` satisfies Message, values),
  body: html`<p>${say(`failure.${kind}.text` satisfies Message, values)}</p>`,
})

/**
 * The page for an unknown booking, page or secret in a URL. The answer is the same in all cases, so it does not reveal
 * which bookings exist.
 */
export const notFound = (localizer: Localizer): View => failureView(localizer, 404, 'not_found')

export const forbidden = (localizer: Localizer): View => failureView(localizer, 403, 'foreign')

export function failure(error: unknown, request: FastifyRequest, reply: FastifyReply): View {
  const localizer = localizerOfPage(request)
  const status = Number(asRecord(error).statusCode)
  if (status >= 400 && status < 500) return failureView(localizer, status, 'unreadable')
  if (error instanceof BusinessRefusal) return refused(localizer, 409, error.code)
  const refusal = asProtocolError(error)
  request.refusal = refusal.code
  const { http } = errors[refusal.code]
  if (http >= 500) request.log.error({ err: error }, `A page failed with ${refusal.code}.`)
  const seconds = retryAfterOf(refusal)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  if (http === 429) return tooMuch(localizer, refusal, seconds ?? 60)
  if (refusal.code === 'service_unavailable') return failureView(localizer, http, 'not_now')
  if (http >= 500) return failureView(localizer, http, 'ours')
  return http === 404 ? notFound(localizer) : refused(localizer, http, refusal.code)
}

const refused = (localizer: Localizer, status: number, code: string): View => ({
  status,
  title: localizer.say('failure.refused'),
  body: html`<p>${refusalText(code, localizer)}</p>`,
})

function tooMuch(localizer: Localizer, refusal: ProtocolError, seconds: number): View {
  const isHolds = refusal.code === 'hold_limit_exceeded'
  // Two limits can end within a minute: on page views, and on holds (reserved slots). For page views, the page says
  // that the visitor opened pages too often.
  if (!isHolds && seconds <= 60) return failureView(localizer, 429, 'too_often', { seconds })
  const { say } = localizer
  const text = isHolds ? say('failure.holds.text', { minutes: Math.ceil(seconds / 60) }) : limitText(refusal, localizer)
  return { status: 429, title: say('failure.too_often'), body: html`<p>${text}</p>` }
}
