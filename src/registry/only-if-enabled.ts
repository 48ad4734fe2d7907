import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../runtime.ts'

/** A registry that is switched off is not there. */
export const onlyIfEnabled = ({ business }: Runtime) => ({
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
    if (!(await business.get())?.registry?.enabled) return reply.callNotFound()
  },
})
