import { type InnerList, isInnerList, parseDictionary } from 'structured-headers'
import type { SigningKey } from '../../../src/protocol/types.generated.ts'
import { WebhookError } from './webhook-error.ts'

export interface Candidate {
  /** The parts of the request that the signature covers, and the parameters of the signature. */
  input: InnerList
  signature: ArrayBuffer
  key: SigningKey
}

/**
 * Returns the signatures that name a key of the business. A request can also have signatures of others, such as
 * proxies, and each signature has a label.
 */
export function chooseSignatures(headers: Map<string, string>, keys: readonly SigningKey[]): Candidate[] {
  const inputs = dictionaryIn(headers, 'signature-input')
  const signatures = dictionaryIn(headers, 'signature')
  const candidates = [...inputs].flatMap(([label, input]): Candidate[] => {
    const [signature] = signatures.get(label) ?? []
    if (!isInnerList(input)) throw malformed(`Signature-Input has no list of components for ${label}.`)
    if (!(signature instanceof ArrayBuffer)) throw malformed(`Signature has no bytes for ${label}.`)
    const keyid = input[1].get('keyid')
    const key = typeof keyid === 'string' ? keys.find(({ kid }) => kid === keyid) : undefined
    return key ? [{ input, signature, key }] : []
  })
  if (candidates.length === 0)
    throw new WebhookError('unknown_key', 'No signature names a key in the profile of the business.')
  return candidates
}

function dictionaryIn(headers: Map<string, string>, name: string) {
  const header = headers.get(name)
  if (header === undefined) throw new WebhookError('signature_missing', `The request has no header ${name}.`)
  try {
    return parseDictionary(header)
  } catch {
    throw malformed(`The header ${name} is not a structured dictionary.`)
  }
}

const malformed = (message: string) => new WebhookError('malformed', message)
