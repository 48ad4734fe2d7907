import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { refuseGuessing } from '../../core/limits/failed-attempts.ts'
import { type CountingMeans, countAddress } from '../../pipeline/check-rate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    guards?: readonly string[]
  }
}

/** What is asked of a request before a route answers it. It throws what it refuses. */
export interface Guard {
  name: string
  pass?(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

type Guards = [Guard, ...Guard[]]

/** What each route states: its name in the log, and what guards it. */
export const guarded = (operation: string, ...guards: Guards) => ({
  ...stating(operation, guards),
  preHandler: passing(guards),
})

/** The same before the body is read. */
export const guardedFirst = (operation: string, ...guards: Guards) => ({
  ...stating(operation, guards),
  onRequest: passing(guards),
})

/** The same where the checks of the pipeline guard it, which pass by another way. */
export const stating = (operation: string, guards: readonly { name: string }[]) => ({
  config: { operation, guards: guards.map(({ name }) => name) },
})

const passing = (guards: Guard[]) => async (request: FastifyRequest, reply: FastifyReply) => {
  for (const { pass } of guards) await pass?.(request, reply)
}

/** Nobody is asked anything, for this reason. */
export const open = (why: string): Guard => ({ name: `open: ${why}` })

/** Whatever comes is refused. */
export const refusal = stating('other', [open('a refusal')])

/** So many calls of the kind a minute from one address. */
export const counted = (means: CountingMeans, kind: string): Guard => ({
  name: `counted as ${kind}`,
  async pass({ ip }, reply) {
    reply.headers(await countAddress(means, kind, ip))
  },
})

/** Not from where somebody guesses. */
export const noGuessing = (means: CountingMeans): Guard => ({
  name: 'no guessing',
  async pass({ ip }) {
    await refuseGuessing(means, ip, means.clock())
  },
})

/** A route that states no guard is a mistake, and the server does not start with it. */
export function requireGuards(app: FastifyInstance) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    for (const { url, method, config } of routes)
      if (!config?.guards?.length)
        throw new Error(`${method} ${url} states no guard: see src/interfaces/http/guards.ts`)
  })
}
