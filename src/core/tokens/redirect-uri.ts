import { isThisMachine } from '../../infra/net/addresses.ts'

/** Whether people may be sent back to it: by https, or without to a program on their own machine where that is let happen. */
export function isRedirectUri(uri: string, mayBeHere: boolean): boolean {
  const url = URL.parse(uri)
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (mayBeHere && url.protocol === 'http:' && isThisMachine(url))
}
