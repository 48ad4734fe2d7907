import { readdirSync } from 'node:fs'

/**
 * The pictures of the demo salon. Its definition names them at an invented host that nobody can reach (RFC 2606), so the
 * pages of this server show its own copies.
 */
const INVENTED_HOST = 'https://glamour-salon.example/images/'
export const DEMO_PICTURES = new URL('../../../examples/pictures/', import.meta.url)
const PATH = '/assets/demo/'

/** Maps the path of each drawn picture to its file. */
export const demoPictures: ReadonlyMap<string, URL> = new Map(
  readdirSync(DEMO_PICTURES)
    .filter((name) => name.endsWith('.svg'))
    .map((name) => [PATH + name, new URL(name, DEMO_PICTURES)]),
)

/** Returns the address of a picture for the pages of this server. */
export function pictureAddress(url: string): string {
  const path = url.replace(INVENTED_HOST, PATH)
  return demoPictures.has(path) ? path : url
}
