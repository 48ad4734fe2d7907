import type { Answer } from '../../caller/answer.ts'
import { expectTrue } from '../../run/expectations.ts'

/** Returns the `type` of an error document with this code. */
export const problemTypeOf = (code: string): string => `https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}`

/** Requires the media type of error documents (Problem Details). */
export function expectProblemType({ headers }: Answer): void {
  const contentType = headers['content-type'] ?? ''
  expectTrue(/^application\/problem\+json/.test(contentType), 'application/problem+json', contentType)
}

/** Requires that the header `Allow` contains the method. */
export function expectAllowed({ headers }: Answer, method: string): void {
  const methods = (headers.allow ?? '').split(',').map((name) => name.trim())
  expectTrue(methods.includes(method), `${method} in Allow`, headers.allow)
}
