import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../infra/net/addresses.ts'

/** A proxy beside the server is on this machine, and whoever it speaks for is not. */
export const isFromThisMachine = ({ socket: { remoteAddress = '' }, headers }: FastifyRequest): boolean =>
  remoteAddress !== '' && isLoopback(remoteAddress) && ofProxies.every((name) => headers[name] === undefined)

const ofProxies = ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']
