import type { IncomingHttpHeaders } from 'node:http'
import { type InnerList, type Item, isInnerList, parseDictionary, parseItem } from 'structured-headers'
import { parseUrl } from '../../infra/net/parse-url.ts'
import type { Means } from '../../protocol/means.ts'
import type { Call } from '../../protocol/operation.ts'
import type { KeyDirectories } from '../profiles/key-directories.ts'
import { signatureBase } from './schemes/signature-base.ts'
import { isOfBot, isOfKey, refuseStrangeComponents, signaturesIn } from './schemes/signature-input.ts'

type SignedRequest = Pick<Call, 'headers' | 'peer'> & Required<Pick<Call, 'http'>>
type AgentMeans = Means<'config' | 'clock'> & { directories: KeyDirectories }

/** Seconds: what is older counts no more, however long it says that it does; and clocks differ. */
const OLDEST = 86_400
const AHEAD = 60
/** Characters of the header: several may sign, each from one origin. */
const LONGEST = 2_000

/**
 * Whose agent sent the request, by a signature as web bots make it: the host at which its key is published. That lets
 * nobody do anything. What is wrong, or whose keys are not known yet, is nobody's, and nothing is refused for it.
 */
export function signatureAgentOf(request: SignedRequest, means: AgentMeans): string | undefined {
  const agent = request.headers['signature-agent']
  if (agent === undefined || agent.length > LONGEST) return undefined
  try {
    for (const { label, input, signature } of signaturesIn(request.headers)) {
      if (!isOfBot(input) || !(signature instanceof ArrayBuffer)) continue
      const origin = originOf(request.headers, label, input)
      if (origin !== undefined && isSigned(request, { origin, input, signature: Buffer.from(signature) }, means))
        return new URL(origin).host
    }
  } catch {
    // What cannot be read names nobody.
  }
}

function isSigned(
  { headers, http, peer }: SignedRequest,
  { origin, input, signature }: { origin: string; input: InnerList; signature: Buffer },
  { config, clock, directories }: AgentMeans,
): boolean {
  const [items, parameters] = input
  refuseStrangeComponents(input)
  if (!items.some(([name]) => name === '@authority' || name === '@target-uri')) return false
  if (!isCurrent(parameters.get('created'), parameters.get('expires'), clock())) return false
  const keyid = parameters.get('keyid')
  const key = typeof keyid === 'string' ? directories.key(origin, keyid, peer.address) : undefined
  if (!key || !isOfKey(parameters.get('alg'), key)) return false
  return key.verifies(Buffer.from(signatureBase(input, { headers, http }, { config })), signature)
}

function isCurrent(created: unknown, expires: unknown, now: Date): boolean {
  const seconds = now.getTime() / 1000
  if (typeof created !== 'number' || typeof expires !== 'number') return false
  return seconds - OLDEST < created && created < seconds + AHEAD && seconds < expires
}

/** Where the signature says that its key is published, if it covers that: one member of the header, or as older drafts have it all. */
function originOf(headers: IncomingHttpHeaders, label: string, [items]: InnerList): string | undefined {
  const covered = items.find(([name]) => name === 'signature-agent')
  if (!covered) return undefined
  const header = String(headers['signature-agent'])
  const member = covered[1].get('key') ?? label
  const named = header.startsWith('"') ? parseItem(header) : parseDictionary(header).get(String(member))
  return named && !isInnerList(named) ? originIn(named) : undefined
}

/** An origin, with or without its slash; keys that are published in other ways are not looked up. */
function originIn([value, parameters]: Item): string | undefined {
  const kind = parameters.get('type')
  if (typeof value !== 'string' || (kind !== undefined && String(kind) !== 'directory')) return undefined
  const origin = parseUrl(value)?.origin
  return origin?.startsWith('https://') && (value === origin || value === `${origin}/`) ? origin : undefined
}
