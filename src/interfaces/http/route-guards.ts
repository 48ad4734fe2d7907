import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions, RouteShorthandOptions } from 'fastify'
import { refuseGuessing } from '../../core/limits/failed-authentication-limit.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/limit-calls-per-caller.ts'
import type { Method } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { sendProblem } from './problem-details.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    guards?: readonly string[]
  }
}

/** A check that runs before a route handles a request. If the check fails, `pass` throws an error. */
export interface Guard {
  name: string
  pass?(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

type Guards = [Guard, ...Guard[]]

/**
 * Returns the options of a route: the name of its operation for the log, and its guards (access checks). The guards run
 * after the server has read the body.
 */
export const guarded = (operation: string, ...guards: Guards) => ({
  ...withGuardNames(operation, guards),
  preHandler: runGuards(guards),
})

/** Returns the options of a route whose guards (access checks) run before the server reads the body. */
export const guardedBeforeBody = (operation: string, ...guards: Guards) => ({
  ...withGuardNames(operation, guards),
  onRequest: runGuards(guards),
})

/**
 * Returns the options of a route whose access checks run elsewhere, for example in the pipeline for operations. The
 * options contain only the names of these checks.
 */
export const withGuardNames = (operation: string, guards: readonly { name: string }[]) => ({
  config: { operation, guards: guards.map(({ name }) => name) },
})

const runGuards = (guards: Guard[]) => async (request: FastifyRequest, reply: FastifyReply) => {
  for (const { pass } of guards) await pass?.(request, reply)
}

export const withoutGuard = (why: string): Guard => ({ name: `open: ${why}` })

export const refusalRoute = withGuardNames('other', [withoutGuard('a refusal')])

/** Returns a guard that limits how many calls of one kind an IP address may make in a minute. */
export const rateLimited = (dependencies: CountingDependencies, kind: string): Guard => ({
  name: `counted as ${kind}`,
  async pass({ ip }, reply) {
    reply.headers(await countAddress(dependencies, kind, ip))
  },
})

/**
 * Returns a guard that refuses calls from an IP address with too many failed authentications. The caller at this
 * address may be guessing credentials.
 */
export const noGuessing = (dependencies: CountingDependencies): Guard => ({
  name: 'no guessing',
  async pass({ ip }) {
    await refuseGuessing(dependencies, ip, dependencies.clock())
  },
})

export function requireGuards(app: FastifyInstance) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    for (const { url, method, config } of routes)
      if (!config?.guards?.length)
        throw new Error(`${method} ${url} states no guard: see src/interfaces/http/route-guards.ts`)
  })
}

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
    // The hook `onRequest` runs before the server reads the body. Therefore the server refuses the request without
    // reading its body.
    onRequest: [...[hooks.onRequest ?? []].flat(), refuse],
    handler: refuse,
  })
}
