import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../../protocol/dependencies.ts'
import { hasRegistry } from '../../../protocol/served-capabilities.ts'

export const onlyIfEnabled = ({ business }: Dependencies<'business'>) => ({
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
    if (!hasRegistry(await business.get())) return reply.callNotFound()
  },
})
