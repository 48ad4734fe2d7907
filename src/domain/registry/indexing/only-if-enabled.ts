import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasRegistry } from '../../../protocol/capabilities.ts'
import type { Dependencies } from '../../../protocol/dependencies.ts'

export const onlyIfEnabled = ({ business }: Dependencies<'business'>) => ({
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
    if (!hasRegistry(await business.get())) return reply.callNotFound()
  },
})
