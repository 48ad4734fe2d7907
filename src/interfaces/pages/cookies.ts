import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Means } from '../../protocol/means.ts'

/** The value of a cookie; empty where there is none. */
export const cookieOf = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string =>
  cookiesIn(headers.cookie)
    .find((one) => isNamed(one, name))
    ?.slice(name.length + 1) ?? ''

/** The header as it is without one of its cookies. */
export const withoutCookie = (header: string | undefined, name: string): string =>
  cookiesIn(header)
    .filter((one) => !isNamed(one, name))
    .join('; ')

/** Attributes of a cookie that pages have where they stand in a frame on the business's own site as well. */
export const everywhere = (baseUrl: string): string =>
  `HttpOnly; SameSite=${baseUrl.startsWith('https:') ? 'None; Secure; Partitioned' : 'Lax'}`

type Config = Means<'config'>['config']

const isSecure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')

/**
 * A cookie for all of our own pages that no script reads. A browser takes one of this name from this very host alone, so that no
 * neighbour under the same domain can set it. Lax: who follows a link in a mail is still who they are.
 */
export function ownCookie(name: string) {
  const nameFor = (config: Config) => (isSecure(config) ? `__Host-${name}` : name)
  return {
    read: (request: Pick<FastifyRequest, 'headers'>, config: Config): string => cookieOf(request, nameFor(config)),
    keep(reply: FastifyReply, value: string, seconds: number, config: Config): void {
      const secure = isSecure(config) ? '; Secure' : ''
      const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      reply.header('set-cookie', `${nameFor(config)}=${value}; ${attributes}`)
    },
  }
}

const cookiesIn = (header = '') => header.split(/; */)

const isNamed = (cookie: string, name: string) => cookie.startsWith(`${name}=`)
