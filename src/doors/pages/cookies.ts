import type { FastifyRequest } from 'fastify'

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

const cookiesIn = (header = '') => header.split(/; */)

const isNamed = (cookie: string, name: string) => cookie.startsWith(`${name}=`)
