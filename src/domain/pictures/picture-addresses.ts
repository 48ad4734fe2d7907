/** The path of all pictures that the staff uploaded. */
export const PICTURES_PATH = '/pictures/'

const FILE_ENDINGS = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const
const SMALL = '-small'

/**
 * Matches the end of a picture's address. The host is not part of the pattern: after a move of the server to another
 * host, the business definition still contains the addresses with the former host.
 */
const PICTURE_PATH = /\/pictures\/([0-9a-f]{64})(-small)?\.(jpg|png)$/

export interface NamedPicture {
  digest: Buffer
  isSmall: boolean
}

/**
 * The URL of a picture for the business definition. The definition allows only URLs with https. A development server
 * may run without https, but its pages show only the path of the URL.
 */
export const pictureUrl = (
  baseUrl: string,
  { digest, type }: { digest: Buffer; type: keyof typeof FILE_ENDINGS },
): string => `${baseUrl.replace(/^http:/, 'https:')}${PICTURES_PATH}${digest.toString('hex')}.${FILE_ENDINGS[type]}`

/** Returns the picture that a URL or a path names. Returns undefined if this server cannot have such a picture. */
export function pictureNamedBy(url: string): NamedPicture | undefined {
  const [, digest, small] = PICTURE_PATH.exec(url) ?? []
  return digest === undefined ? undefined : { digest: Buffer.from(digest, 'hex'), isSmall: small !== undefined }
}

/** Returns the path of an uploaded picture from its URL. Returns undefined for all other URLs. */
export const picturePath = (url: string): string | undefined => PICTURE_PATH.exec(url)?.[0]

/** Returns the path of the small version of an uploaded picture. Returns undefined for a small version and other URLs. */
export const smallPicturePath = (url: string): string | undefined =>
  pictureNamedBy(url)?.isSmall === false ? picturePath(url)?.replace(/(?=\.\w+$)/, SMALL) : undefined

/** Finds the digests of all pictures in the text of a business definition. PostgreSQL evaluates this pattern. */
export const DIGESTS_IN_TEXT = '/pictures/([0-9a-f]{64})'
