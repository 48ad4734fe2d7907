import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../protocol/dependencies.ts'

/** The value of a cookie; empty when it is missing. */
export const cookieOf = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string =>
  cookiesIn(headers.cookie)
    .find((one) => isNamed(one, name))
    ?.slice(name.length + 1) ?? ''

/** The cookie header without one cookie. */
export const withoutCookie = (header: string | undefined, name: string): string =>
  cookiesIn(header)
    .filter((one) => !isNamed(one, name))
    .join('; ')

/** Attributes of a cookie that also works in a frame on the website of the business. */
export const framedCookieAttributes = (baseUrl: string): string =>
  `HttpOnly; SameSite=${baseUrl.startsWith('https:') ? 'None; Secure; Partitioned' : 'Lax'}`

type Config = Dependencies<'config'>['config']

const isSecure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')

/**
 * A cookie for all of our pages that scripts cannot read. The `__Host-` prefix stops other hosts of the domain from
 * setting it.
 * `SameSite=Lax` keeps a person signed in who follows a link in a mail.
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
