import type { FastifyError, FastifyInstance } from 'fastify'
import { asProtocolError, errors, ProtocolError } from '../../protocol/errors.ts'
import { sendProblem } from './problem.ts'

const fastifyErrors: Record<string, () => ProtocolError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ProtocolError('unsupported_media_type', 'Send the body as application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ProtocolError('content_too_large', 'The body may have at most 1 MiB.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ProtocolError('invalid_request', 'The length of the body differs from Content-Length.'),
}

export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = protocolErrorOf(error)
    if (errors[refusal.code].http >= 500) request.log.error({ err: error }, `A request failed with ${refusal.code}.`)
    return sendProblem(reply.headers(request.call?.answerHeaders ?? {}), refusal)
  })
  app.setNotFoundHandler((_, reply) => sendProblem(reply, addressNotFound()))
}

export const addressNotFound = () =>
  new ProtocolError('not_found', 'There is nothing at this address. See /docs for the addresses of this server.')

/** Other plugins mark a faulty request by a 4xx status only. */
const protocolErrorOf = (error: FastifyError) =>
  fastifyErrors[error.code]?.() ?? (isCallersFault(error) ? refused() : asProtocolError(error))

const isCallersFault = ({ statusCode = 500 }: FastifyError) => statusCode >= 400 && statusCode < 500
const refused = () => new ProtocolError('invalid_request', 'The server cannot answer the request in this form.')
