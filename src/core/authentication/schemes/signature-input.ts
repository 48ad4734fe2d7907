import type { IncomingHttpHeaders } from 'node:http'
import { type InnerList, isInnerList, parseDictionary, serializeItem } from 'structured-headers'
import type { VerificationKey } from '../../keys/public-keys.ts'
import { TAG } from '../../keys/web-bot-auth.ts'
import { failed } from './signature-base.ts'

/**
 * The maximum number of signatures that the server checks for one request. Honest clients need fewer, and each check
 * takes time.
 */
const MOST_SIGNATURES = 4
/**
 * The maximum number of headers and other parts of the request that one signature may cover. No honest request has
 * more.
 */
const MOST_COMPONENTS = 50
/**
 * The maximum number of header parts and query parameters that one signature may cover. For each of them, the server
 * must parse the whole header or query, which takes time.
 */
const MOST_PARTS = 4

/**
 * Returns the first signatures of a request. Each signature has a label and a list of the covered parts of the request.
 */
export function signaturesIn({ signature, 'signature-input': input }: IncomingHttpHeaders) {
  const signatures = parse(signature)
  return [...parse(input)]
    .slice(0, MOST_SIGNATURES)
    .map(([label, input]) => ({ label, input, signature: signatures.get(label)?.[0] }))
}

/**
 * Whether a signature only names a bot (Web Bot Auth) and does not authenticate the caller. The file
 * `src/core/authentication/verify-bot-signature.ts` checks these signatures.
 */
export const isBotSignature = (input: unknown): input is InnerList =>
  isInnerListItem(input) && input[1].get('tag') === TAG

export function presentsSignature(headers: IncomingHttpHeaders): boolean {
  const { signature, 'signature-input': input } = headers
  if (signature === undefined && input === undefined) return false
  // Each bot signature contains the tag of web bots. If the header does not contain this tag, the server need not parse
  // the header.
  if (!String(input).includes(TAG)) return true
  try {
    const inputs = signaturesIn(headers)
    return inputs.length === 0 || !inputs.every(({ input }) => isBotSignature(input))
  } catch {
    return true
  }
}

export function refuseStrangeComponents([items]: InnerList) {
  if (items.length > MOST_COMPONENTS)
    throw failed('signature_invalid', `A signature may cover at most ${MOST_COMPONENTS} components.`)
  if (items.filter(([, parameters]) => parameters.size > 0).length > MOST_PARTS)
    throw failed('signature_invalid', `A signature may cover at most ${MOST_PARTS} parts of headers or of the query.`)
  const names = items.map((item) => (item[1].size === 0 ? item[0] : serializeItem(item)))
  if (new Set(names).size !== names.length) throw failed('signature_invalid', 'A component is covered twice.')
  if (items.some(([name]) => name === '@created'))
    throw failed('signature_invalid', 'created is a parameter, not a component.')
  if (items.some(([, parameters]) => [...parameters.keys()].some((one) => !componentParameters.has(one))))
    throw failed('signature_invalid', 'A component has a parameter that has no meaning in a request.')
}

/**
 * The parameters of covered components (RFC 9421) that the server accepts in request signatures. The server refuses
 * `req`, which is only for signed responses, and `tr`, which is for trailers.
 */
const componentParameters = new Set(['sf', 'bs', 'key', 'name'])

const wireNames = {
  ES256: 'ecdsa-p256-sha256',
  ES384: 'ecdsa-p384-sha384',
  EdDSA: 'ed25519',
  RS256: 'rsa-v1_5-sha256',
  PS512: 'rsa-pss-sha512',
}

/** Whether the signature's `alg` parameter matches the type of the key. The parameter may be absent. */
export const isAlgorithmOfKey = (algorithm: unknown, key: VerificationKey): boolean =>
  algorithm === undefined || algorithm === wireNames[key.algorithm]

function parse(header: unknown) {
  try {
    return parseDictionary(String(header))
  } catch {
    throw failed('signature_invalid', 'Signature and Signature-Input must be structured dictionaries.')
  }
}

export const isInnerListItem = (input: unknown): input is InnerList =>
  Array.isArray(input) && isInnerList(input as InnerList)
