import type { FastifyRequest } from 'fastify'

/** The value of a cookie; empty where there is none. */
export const cookieOf = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string =>
  (headers.cookie ?? '')
    .split(/; */)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? ''
