import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordOf } from '../../basics/record-of.ts'
import { errors } from '../../protocol/errors.ts'
import { asProtocolError } from '../../protocol/failure.ts'
import { retryAfterOf } from '../http/problem.ts'
import { type Content, html } from './html.ts'
import type { View } from './layout.ts'

const view = (status: number, title: string, text: Content): View => ({ status, title, body: html`<p>${text}</p>` })

/** The same for a booking, a page and a secret that do not exist. */
export const notFound = view(
  404,
  'We cannot find this page',
  'The link may be incomplete. Please open it once more from where you found it.',
)

export const forbidden = view(
  403,
  'This was not sent from our page',
  'Nothing was changed. Please open the link to your booking again and send the form from there.',
)

/** Whatever went wrong, told to a person. */
export function failure(error: unknown, request: FastifyRequest, reply: FastifyReply): View {
  const status = Number(recordOf(error).statusCode)
  if (status >= 400 && status < 500)
    return view(status, 'This cannot be read', 'The form was not sent as we expect it. Please try again.')
  const refusal = asProtocolError(error)
  const { http } = errors[refusal.code]
  if (http >= 500) request.log.error({ err: error }, refusal.code)
  const seconds = retryAfterOf(refusal)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  if (refusal.code === 'rate_limited')
    return view(http, 'One moment please', `This page was opened very often. Please wait ${seconds} seconds.`)
  if (refusal.code === 'service_unavailable')
    return view(http, 'We cannot do this just now', 'Please open this page again in a moment: it shows what was done.')
  if (http >= 500)
    return view(http, 'Something went wrong', 'That was our fault, and nothing was changed. Please try again shortly.')
  return view(http, 'This cannot be answered', refusal.message)
}
