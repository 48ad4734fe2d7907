import { httpbis } from 'http-message-signatures'
import { type InnerList, type Item, serializeInnerList, serializeItem } from 'structured-headers'
import type { Call } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { publicHost, publicOrigin } from '../../egress/own-public-address.ts'

type Signed = Pick<Call, 'headers' | 'http'>

/**
 * The maximum number of characters in a header or query, if a signature covers only a part of this header or query. The
 * server must parse the whole text, which takes time.
 */
const LONGEST_PARSED = 4096

/**
 * Builds the text that a request signature signs (RFC 9421, section 2.5). The text lists the covered components:
 * headers and other parts of the request. Most components have no parameters, and this file writes them. A library
 * writes the rare components that have parameters.
 */
export function signatureBase(input: InnerList, call: Signed, dependencies: Dependencies<'config'>): string {
  const lines = input[0].map((item) => {
    const [name, parameters] = item
    if (typeof name !== 'string') throw failed('signature_invalid', 'A component has no name.')
    return parameters.size === 0
      ? `"${name}": ${plainComponent(name, call, dependencies)}`
      : parameterised(item, call, dependencies)
  })
  return `${lines.join('\n')}\n"@signature-params": ${serializeInnerList(input)}`
}

/**
 * Returns the value of a signed part of the request, such as the path, exactly as the caller sent it. If the server
 * parsed the URL, its spelling could change, and the signature would no longer match.
 */
function plainComponent(name: string, { headers, http }: Signed, { config }: Dependencies<'config'>): string {
  const { method = '', target = '' } = http ?? {}
  const query = target.indexOf('?')
  const origin = () => publicOrigin(config, headers.host)
  switch (name) {
    case '@method':
      return method
    case '@authority':
      return publicHost(config, headers.host)
    case '@path':
      return query < 0 ? target : target.slice(0, query)
    case '@query':
      return query < 0 ? '?' : target.slice(query)
    case '@target-uri':
      return origin() + target
    case '@scheme':
      return new URL(origin()).protocol.slice(0, -1)
    case '@request-target':
      return target
  }
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (value === undefined)
    throw failed('signature_invalid', `The covered component ${name} is not part of the request.`)
  return [value]
    .flat()
    .map((line) => line.trim())
    .join(', ')
}

function parameterised(item: Item, { headers, http }: Signed, { config }: Dependencies<'config'>): string {
  const { method = '', target = '' } = http ?? {}
  const [component, parameters] = item
  const isOfQuery = component === '@query-param'
  const whole = isOfQuery ? target : String(headers[String(component)] ?? '')
  if (whole.length > LONGEST_PARSED)
    throw failed(
      'signature_invalid',
      `A member of a structured header can be signed only if the header has at most ${LONGEST_PARSED} characters.`,
    )
  if (isOfQuery && isRepeated(target, parameters.get('name')))
    throw failed('signature_invalid', 'A query parameter that occurs more than once cannot be covered by its name.')
  const present: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) present[name] = value
  const message = { method, url: publicOrigin(config, headers.host) + target, headers: present }
  try {
    return httpbis.formatSignatureBase(httpbis.createSignatureBase({ fields: [serializeItem(item)] }, message))
  } catch {
    throw failed('signature_invalid', 'A covered component is not part of the request.')
  }
}

/**
 * Whether a query parameter occurs several times. RFC 9421 (section 2.2.8) does not allow a signature to cover such a
 * parameter, so the server refuses the signature.
 */
function isRepeated(target: string, name: unknown): boolean {
  const [decodedName = ''] = new URLSearchParams(`${name}=`).keys()
  return new URLSearchParams(target.slice(target.indexOf('?') + 1)).getAll(decodedName).length > 1
}

export const MECHANISM = 'http_message_signature'

type SignatureCode =
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_expired'
  | 'key_not_found'
  | 'algorithm_unsupported'

export const failed = (code: SignatureCode, message: string) =>
  new ProtocolError(code, message, { mechanism: MECHANISM })
