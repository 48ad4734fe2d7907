import { readdirSync } from 'node:fs'

/**
 * The pictures of the demo salon. The addresses in its definition have an invented host (RFC 2606). Therefore the pages of
 * this server show the copies of the server.
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
