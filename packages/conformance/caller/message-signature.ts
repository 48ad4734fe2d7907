import { type KeyPair, sha256 } from './key-pair.ts'

export interface RequestToSign {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
}

export interface SignatureOptions {
  label?: string
  /** The id of the key. Null: the signature names no key. */
  keyid?: string | null | undefined
  /** The time of signing, in seconds since 1970. Undefined omits the parameter `created`. */
  created?: number | undefined
  /** More parameters of the signature, such as `;expires=1`. */
  parameters?: string
  /** Names of request parts that the signature does not cover. Checks use them for incomplete signatures. */
  without?: string[]
  /** Names and values of request parts that the signature covers in addition to the usual parts. */
  also?: [string, string][]
  encoding?: 'ieee-p1363' | 'der'
  /** Changes the value of the header `Content-Digest`. Null removes the header. */
  digest?: (usual: string) => string | null
  /** Changes the signature after signing. */
  change?: (signature: Buffer) => Buffer
}

/** Returns the headers of a signed request (RFC 9421): `Signature`, `Signature-Input` and `Content-Digest`. */
export function signatureHeaders(key: KeyPair, request: RequestToSign, options: SignatureOptions = {}) {
  const { host, pathname, search } = new URL(request.url)
  const { label = 'sig1', change = (signature) => signature } = options
  const digest = digestHeader(request.body, options)
  const components = Object.entries({
    '@method': request.method,
    '@authority': host,
    '@path': pathname,
    ...(search !== '' && { '@query': search }),
    ...request.headers,
    ...digest,
  })
    .filter(([name]) => !options.without?.includes(name))
    .concat(options.also ?? [])
  const names = components.map(([name]) => `"${name}"`).join(' ')
  const parameters = `(${names})${parametersOf(key, options)}`
  const base = [...components.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${parameters}`].join(
    '\n',
  )
  return {
    ...digest,
    'signature-input': `${label}=${parameters}`,
    signature: `${label}=:${change(key.sign(base, options.encoding)).toString('base64')}:`,
  }
}

export const digestOf = (body: string): string => `sha-256=:${sha256(body).toString('base64')}:`

function digestHeader(
  body: string | undefined,
  { digest = (usual) => usual }: SignatureOptions,
): Record<string, string> {
  const value = body === undefined ? null : digest(digestOf(body))
  return value === null ? {} : { 'content-digest': value }
}

function parametersOf(key: KeyPair, options: SignatureOptions): string {
  const created = 'created' in options ? options.created : Math.floor(Date.now() / 1000)
  const keyid = options.keyid === undefined ? key.thumbprint : options.keyid
  const named = keyid === null ? '' : `;keyid="${keyid}"`
  return `${created === undefined ? '' : `;created=${created}`}${named}${options.parameters ?? ''}`
}
