import { hash } from 'node:crypto'

/**
 * A digest of the path of a calendar or of one of its objects, in hexadecimal form. A CalDAV server can write the same
 * path with different percent-encoding.
 */
export function keyOf(url: string): string {
  const { pathname } = new URL(url)
  return hash('sha256', decoded(pathname))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
