import type { Config } from '../../infra/config/read-config.ts'
import { isThisMachine } from '../../infra/net/ip-addresses.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { oneLine } from '../../infra/util/plain-text.ts'
import { type Bounds, readJson, UnreadableDocumentError } from '../../protocol/parse-json-safely.ts'

/**
 * The error for a refused registration of an AI assistant. It has an error code of RFC 7591 and a sentence that
 * explains the refusal.
 */
export class InvalidClientMetadataError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(code: 'invalid_redirect_uri' | 'invalid_client_metadata', message: string) {
    super(message)
    this.code = code
  }
}

/** The metadata that an AI assistant publishes about itself, such as its name. The server cannot verify these data. */
export interface AssistantMetadata {
  name: string
  redirect_uris: string[]
}

export const MOST_METADATA_BYTES = 16 * 1024
const BOUNDS: Bounds = { deepest: 8, mostValues: 500, longestText: 4_000 }

export function parseMetadata(document: Buffer): Readonly<Record<string, unknown>> {
  try {
    return asRecord(readJson(document, BOUNDS))
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error
    throw new InvalidClientMetadataError('invalid_client_metadata', `The client metadata ${error.message}.`)
  }
}

const MOST_URIS = 20
const LONGEST_URI = 500
const LONGEST_NAME = 60

/**
 * Reads the metadata of an AI assistant (RFC 7591). The function ignores metadata that this server does not use, such
 * as a logo.
 */
export function readClientMetadata({
  client_name,
  redirect_uris,
}: Readonly<Record<string, unknown>>): AssistantMetadata {
  const usable = usableUris(redirect_uris)
  const name = typeof client_name === 'string' ? nameIn(client_name) : ''
  return { name: name || new URL(usable[0] ?? '').host, redirect_uris: usable }
}

/**
 * Cleans the name that an AI assistant gives itself. The consent page shows the name in quotation marks. A quotation
 * mark inside the name would make the text after it look like text from this server. Therefore the function replaces
 * quotation marks.
 */
const nameIn = (text: string): string => oneLine(text).replace(QUOTATION, "'").slice(0, LONGEST_NAME).toWellFormed()

const QUOTATION = /[\p{Pi}\p{Pf}"„‚「」『』]/gu

/**
 * Returns the redirect URLs of an AI assistant that this server allows. The function ignores all other URLs, because
 * the assistant may use them with other servers.
 */
function usableUris(redirect_uris: unknown): string[] {
  if (!Array.isArray(redirect_uris) || redirect_uris.length > MOST_URIS)
    throw new InvalidClientMetadataError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of at most ${MOST_URIS} addresses.`,
    )
  const usable = redirect_uris.filter(isUsable)
  if (usable.length > 0) return [...new Set(usable)]
  throw new InvalidClientMetadataError(
    'invalid_redirect_uri',
    'redirect_uris must contain https addresses, or http addresses of 127.0.0.1, [::1] or localhost, of at ' +
      `most ${LONGEST_URI} characters and without a fragment.`,
  )
}

const isUsable = (uri: unknown): uri is string =>
  typeof uri === 'string' &&
  uri.length <= LONGEST_URI &&
  /^[\x21-\x7e]+$/.test(uri) &&
  isRedirectUri(uri, true) &&
  !(uri.startsWith('https:') && isThisMachine(new URL(uri)))

/**
 * Whether a text is a valid redirect URL. The URL must use https. With `allowsLoopback`, the URL can also use http and
 * lead to a program on the person's own machine.
 */
function isRedirectUri(uri: string, allowsLoopback: boolean): boolean {
  const url = URL.parse(uri)
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (allowsLoopback && url.protocol === 'http:' && isThisMachine(url))
}

/**
 * Throws an error if a redirect URL does not use https. A development server also accepts http URLs of this machine.
 * The function does not change valid URLs, because the OAuth library compares them character by character.
 */
export function checkRedirectUris(uris: readonly string[], { mode }: Pick<Config, 'mode'>): void {
  for (const uri of uris) {
    if (!isRedirectUri(uri, mode === 'development'))
      throw new PlainError(
        `${uri} cannot be a redirect URI: it must be an https address without a fragment, or during ` +
          'development an address of this machine.',
      )
  }
}
