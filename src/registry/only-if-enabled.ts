import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasRegistry } from '../protocol/served.ts'
import type { Runtime } from '../runtime.ts'

/** A registry that is switched off is not there. */
export const onlyIfEnabled = ({ business }: Runtime) => ({
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
    if (!hasRegistry(await business.get())) return reply.callNotFound()
  },
})
