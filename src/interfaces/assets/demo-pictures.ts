import { readdirSync } from 'node:fs'
import { picturePath } from '../../domain/pictures/picture-addresses.ts'

/**
 * The start of the picture URLs in the definition file of the demo salon. The host is invented (RFC 2606). Therefore
 * pages show this server's own copies of the pictures.
 */
const INVENTED_HOST = 'https://glamour-salon.example/images/'
export const DEMO_PICTURES = new URL('../../../examples/pictures/', import.meta.url)
/** The business definition of the demo salon. The design pages of the desk take their examples from it. */
export const DEMO_BUSINESS = new URL('../../../examples/glamour-salon.yaml', import.meta.url)
const PATH = '/assets/demo/'

/** Maps the URL path of each demo picture to its SVG file on disk. */
export const demoPictures: ReadonlyMap<string, URL> = new Map(
  readdirSync(DEMO_PICTURES)
    .filter((name) => name.endsWith('.svg'))
    .map((name) => [PATH + name, new URL(name, DEMO_PICTURES)]),
)

/**
 * Returns the URL of a picture for a page. For an uploaded picture, this is its path, and for a demo picture, the path
 * of the server's copy. All other URLs stay unchanged.
 */
export function pictureAddress(url: string): string {
  const path = url.replace(INVENTED_HOST, PATH)
  return demoPictures.has(path) ? path : (picturePath(url) ?? url)
}
