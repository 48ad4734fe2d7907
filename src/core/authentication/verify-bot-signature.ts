import type { IncomingHttpHeaders } from 'node:http'
import { type InnerList, type Item, isInnerList, parseDictionary, parseItem } from 'structured-headers'
import { parseUrl } from '../../infra/net/parse-url.ts'
import type { Call } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { KeyDirectories } from '../profiles/bot-key-directories.ts'
import { signatureBase } from './schemes/signature-base.ts'
import { isAlgorithmOfKey, isBotSignature, refuseStrangeComponents, signaturesIn } from './schemes/signature-input.ts'

type SignedRequest = Pick<Call, 'headers' | 'peer'> & Required<Pick<Call, 'http'>>
type AgentDependencies = Dependencies<'config' | 'clock'> & { directories: KeyDirectories }

/** The maximum age of a bot's request signature in seconds, even if its `expires` parameter allows more. */
const MOST_AGE_SECONDS = 86_400
const MOST_AHEAD_SECONDS = 60
/**
 * The maximum number of characters in the `Signature-Agent` header. If several bots sign one request, the header
 * contains the origin of each bot.
 */
const LONGEST_HEADER = 2_000

/**
 * Returns the host of the bot that signed the request (Web Bot Auth). This host publishes the key of the signature. If
 * the signature is invalid or its key is unknown, the function returns undefined and the call continues. The signature
 * gives the caller no rights.
 */
export function signatureAgentOf(request: SignedRequest, dependencies: AgentDependencies): string | undefined {
  const agent = request.headers['signature-agent']
  if (agent === undefined || agent.length > LONGEST_HEADER) return undefined
  try {
    for (const { label, input, signature } of signaturesIn(request.headers)) {
      if (!isBotSignature(input) || !(signature instanceof ArrayBuffer)) continue
      const origin = originOf(request.headers, label, input)
      if (origin !== undefined && isSigned(request, { origin, input, signature: Buffer.from(signature) }, dependencies))
        return new URL(origin).host
    }
  } catch {
    // If the server cannot parse the `Signature-Agent` header, the call continues without the name of a bot.
  }
}

function isSigned(
  { headers, http, peer }: SignedRequest,
  { origin, input, signature }: { origin: string; input: InnerList; signature: Buffer },
  { config, clock, directories }: AgentDependencies,
): boolean {
  const [items, parameters] = input
  refuseStrangeComponents(input)
  if (!items.some(([name]) => name === '@authority' || name === '@target-uri')) return false
  if (!isCurrent(parameters.get('created'), parameters.get('expires'), clock())) return false
  const keyid = parameters.get('keyid')
  const key = typeof keyid === 'string' ? directories.key(origin, keyid, peer.address) : undefined
  if (!key || !isAlgorithmOfKey(parameters.get('alg'), key)) return false
  return key.verifies(Buffer.from(signatureBase(input, { headers, http }, { config })), signature)
}

function isCurrent(created: unknown, expires: unknown, now: Date): boolean {
  const seconds = now.getTime() / 1000
  if (typeof created !== 'number' || typeof expires !== 'number') return false
  return seconds - MOST_AGE_SECONDS < created && created < seconds + MOST_AHEAD_SECONDS && seconds < expires
}

/**
 * Returns the origin that publishes the bot's key, if the bot's signature covers this origin. In the current standard,
 * the origin is one item of the `Signature-Agent` header. In older drafts, the whole header is the origin.
 */
function originOf(headers: IncomingHttpHeaders, label: string, [items]: InnerList): string | undefined {
  const covered = items.find(([name]) => name === 'signature-agent')
  if (!covered) return undefined
  const header = String(headers['signature-agent'])
  const member = covered[1].get('key') ?? label
  const agentItem = header.startsWith('"') ? parseItem(header) : parseDictionary(header).get(String(member))
  return agentItem && !isInnerList(agentItem) ? originIn(agentItem) : undefined
}

/**
 * Returns the origin in an item of the `Signature-Agent` header. Returns undefined for other kinds of items, which the
 * server does not support.
 */
function originIn([value, parameters]: Item): string | undefined {
  const kind = parameters.get('type')
  if (typeof value !== 'string' || (kind !== undefined && String(kind) !== 'directory')) return undefined
  const origin = parseUrl(value)?.origin
  return origin?.startsWith('https://') && (value === origin || value === `${origin}/`) ? origin : undefined
}
