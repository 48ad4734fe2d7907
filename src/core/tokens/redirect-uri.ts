import { isThisMachine } from '../../infra/net/addresses.ts'

/** Whether this is a valid redirect address: https, or http to a program on the person's own machine if `mayBeHere`. */
export function isRedirectUri(uri: string, mayBeHere: boolean): boolean {
  const url = URL.parse(uri)
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (mayBeHere && url.protocol === 'http:' && isThisMachine(url))
}
