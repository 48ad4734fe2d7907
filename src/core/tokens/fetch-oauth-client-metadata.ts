import { networkOf } from '../../infra/net/ip-addresses.ts'
import { DAY, MINUTE } from '../../infra/time/time-units.ts'
import { singleFlight } from '../../infra/util/memoize.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { callOutside, checkedUrl, EgressError, type EgressResponse } from '../egress/call-external-url.ts'
import { maxAgeOf } from '../egress/send-external-request.ts'
import type { CallerFetchLimits } from '../limits/limit-fetches-for-callers.ts'
import { assistantUpsert, documentId, isFresh } from './registered-assistants.ts'
import {
  type AssistantMetadata,
  InvalidClientMetadataError,
  MOST_METADATA_BYTES,
  parseMetadata,
  readClientMetadata,
} from './validate-client-metadata.ts'

/**
 * Registers the AI assistant that publishes its metadata at a URL. Returns the id of the assistant on this server.
 * `address` is the IP address of the caller.
 */
export type LearnAssistant = (url: string, address: string) => Promise<string>

const REQUEST = { timeout: 5_000, mostBytes: MOST_METADATA_BYTES, headers: { accept: 'application/json' } }
const LIFETIME = { least: 5 * MINUTE, most: DAY }

/**
 * Reads the metadata documents of AI assistants. An assistant publishes the document at a URL, and uses this URL as its
 * client id. Callers choose the URLs, so each fetch counts against the limit of the caller's IP address range.
 */
export function assistantDocuments({
  db,
  config,
  clock,
  fetches,
}: Dependencies<'db' | 'config' | 'clock'> & { fetches: CallerFetchLimits }): LearnAssistant {
  const requests = new Map<string, Promise<void>>()

  /**
   * Fetches and stores one metadata document. `earlierFetches` is the number of earlier fetches for the caller's IP
   * address range in this minute.
   */
  const read = async (url: string, network: string, earlierFetches: number) => {
    await fetches.spend(url, earlierFetches)
    const response = await callOutside(url, REQUEST, config)
    const freshUntil = new Date(clock().getTime() + lifetimeOf(response))
    await assistantUpsert(db, { id: documentId(url), ...metadataIn(response, url), network, freshUntil }, clock())
  }

  return async (url, address) => {
    const id = documentId(url)
    if (await isFresh(db, id, clock())) return id
    try {
      checkAddress(url, checkedUrl(url, config))
      const readFor = (earlierFetches: number) =>
        singleFlight(requests, url, () => read(url, networkOf(address), earlierFetches))
      await fetches.awaited(address, () => fetches.counted(address, readFor))
    } catch (error) {
      throw error instanceof EgressError ? unfit(error.message) : error
    }
    return id
  }
}

/**
 * Throws an error if the URL of a metadata document is not in its normal form. The normal form is necessary, because
 * the server compares URLs character by character. The root of a site is also refused, because it cannot be a metadata
 * document.
 */
function checkAddress(text: string, url: URL) {
  if (url.href !== text || url.hash !== '' || url.pathname === '/')
    throw unfit('must be an https address with a path, without dot segments and without a fragment')
}

function metadataIn({ status, body }: EgressResponse, url: string): AssistantMetadata {
  if (status !== 200) throw unfit(`was answered with status ${status}. Redirects are not followed`)
  const metadata = parseMetadata(body)
  if (metadata.client_id !== url) throw unfit('contains another client_id than its own address')
  if (typeof metadata.client_name !== 'string' || metadata.client_name.trim() === '')
    throw unfit('has no client_name, which people need to recognize it')
  const { token_endpoint_auth_method: method = 'none' } = metadata
  if (method !== 'none')
    throw unfit('asks for another token_endpoint_auth_method than none, which is the only one for assistants')
  return readClientMetadata(metadata)
}

/** Returns how many milliseconds to cache a metadata document: its `max-age`, but between five minutes and one day. */
const lifetimeOf = (response: EgressResponse): number =>
  Math.min(LIFETIME.most, Math.max(LIFETIME.least, maxAgeOf(response) * 1000))

const unfit = (why: string) =>
  new InvalidClientMetadataError('invalid_client_metadata', `The document of the client id ${why}.`)
