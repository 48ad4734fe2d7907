import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../infra/net/addresses.ts'

/** A proxy on this machine is local, but its clients are not. A request with a proxy header is therefore not local. */
export const isFromThisMachine = ({ socket: { remoteAddress = '' }, headers }: FastifyRequest): boolean =>
  remoteAddress !== '' && isLoopback(remoteAddress) && ofProxies.every((name) => headers[name] === undefined)

const ofProxies = ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']
