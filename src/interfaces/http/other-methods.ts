import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Method } from '../../protocol/operation.ts'
import { refusalRoute } from './guards.ts'
import { sendProblem } from './problem.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']

export function refuseOtherMethods(
  app: FastifyInstance,
  path: string,
  allowed: Method[],
  hooks: Pick<RouteShorthandOptions, 'onRequest'> = {},
) {
  const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ')
  const refuse = async (_: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply, new ProtocolError('method_not_allowed', `This path supports ${allow}.`, { headers: { allow } }))
  app.route({
    method: METHODS.filter((method) => !allowed.some((one) => one === method)),
    url: path,
    ...refusalRoute,
    // Refuses before the body is read.
    onRequest: [...[hooks.onRequest ?? []].flat(), refuse],
    handler: refuse,
  })
}
