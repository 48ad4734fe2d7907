import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type BareItem, serializeItem } from 'structured-headers'
import { memoize } from '../../infra/util/memoize.ts'
import { deriveKey } from './encrypt-secrets.ts'
import { type PublicJwk, thumbprintOf } from './public-keys.ts'
import { type Component, componentOf, contentDigest, signatureBy } from './sign-http-message.ts'

/**
 * The path of the directory of this server's public bot keys. Web Bot Auth is a draft standard for signed requests
 * (draft-meunier-webbotauth-httpsig-protocol). The signature tells the receiver which host sent a request. The document
 * `docs/decisions/0068` explains why this server signs its requests.
 */
export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'
export const TAG = 'web-bot-auth'

/** How many seconds a bot signature of this server is valid, on a request and on the directory of its public keys. */
const LIFETIME_SECONDS = { request: 300, directory: 86_400 }

interface BotKey {
  thumbprint: string
  jwk: PublicJwk
  privateKey: KeyObject
}

/**
 * The first bytes of each private Ed25519 key in the format PKCS #8 (RFC 8410). The 32 bytes of the key itself follow.
 */
const BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The private key that signs the requests of this server as a bot. The server derives this key from its secret key.
 * Therefore all servers of the business have the same bot key, and the database does not store it.
 */
export const botKey = memoize(4, (secretKey: string): BotKey => {
  const seed = deriveKey(secretKey, 'web bot auth').export()
  const privateKey = createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' })
  const { kty = '', crv = '', x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const jwk = { kty, crv, x }
  return { thumbprint: thumbprintOf(jwk), jwk, privateKey }
})

const LABEL = 'bot'

export function botHeaders(method: string, url: URL, { origin, key, now }: { origin: string; key: BotKey; now: Date }) {
  const agent = serializeItem([origin, new Map()])
  const components: Component[] = [
    componentOf('@method', method),
    componentOf('@authority', url.host),
    componentOf('@path', url.pathname),
    [['signature-agent', new Map([['key', LABEL]])], agent],
  ]
  return { 'signature-agent': `${LABEL}=${agent}`, ...signatureOf(LABEL, components, { tag: TAG, key, now }) }
}

/**
 * Returns the signed directory of this server's public bot keys. The signature covers the host name. Therefore another
 * host cannot publish the directory as its own.
 */
export function botDirectory(authority: string, key: BotKey, now: Date) {
  const body = JSON.stringify({ keys: [{ ...key.jwk, kid: key.thumbprint, use: 'sig' }] })
  const digest = contentDigest(Buffer.from(body))
  const components: Component[] = [
    [['@authority', new Map([['req', true]])], authority],
    componentOf('content-digest', digest),
  ]
  const signed = signatureOf('binding', components, { tag: 'http-message-signatures-directory', key, now })
  return { body, headers: { 'content-digest': digest, ...signed } }
}

function signatureOf(
  label: string,
  components: Component[],
  { tag, key, now }: { tag: string; key: BotKey; now: Date },
) {
  const created = Math.floor(now.getTime() / 1000)
  const parameters = new Map<string, BareItem>([
    ['created', created],
    ['expires', created + (tag === TAG ? LIFETIME_SECONDS.request : LIFETIME_SECONDS.directory)],
    ['keyid', key.thumbprint],
    ['alg', 'ed25519'],
    ['tag', tag],
  ])
  return signatureBy((base) => sign(null, base, key.privateKey), { label, components, parameters })
}
