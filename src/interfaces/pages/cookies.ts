import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../protocol/dependency-types.ts'

/** Returns the value of a cookie in the request. The value is empty if the request has no such cookie. */
export const cookieOf = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string =>
  cookiesIn(headers.cookie)
    .find((one) => isNamed(one, name))
    ?.slice(name.length + 1) ?? ''

/** Returns the request's cookie header without the cookie of the given name. */
export const withoutCookie = (header: string | undefined, name: string): string =>
  cookiesIn(header)
    .filter((one) => !isNamed(one, name))
    .join('; ')

/** Returns the attributes of a cookie that works even if the website of the business shows the page in a frame. */
export const framedCookieAttributes = (baseUrl: string): string =>
  `HttpOnly; SameSite=${baseUrl.startsWith('https:') ? 'None; Secure; Partitioned' : 'Lax'}`

type Config = Dependencies<'config'>['config']

const isSecure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')

/**
 * Returns the functions that read and set a cookie for all pages of this server. Scripts cannot read the cookie. The
 * prefix `__Host-` prevents other hosts of the same domain from setting it. With `SameSite=Lax`, a person who follows a
 * link in a mail stays signed in.
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
