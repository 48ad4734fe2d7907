import type { Protocol } from './deployment-modes.ts'
import { errors, type ProtocolCode } from './errors.ts'

interface WireCodes {
  http: number
  rpc: number
}

/** Maps an HTTP status to the JSON-RPC code that the Universal Commerce Protocol (UCP) defines for this status. */
const rpcOfStatus: Record<number, number> = { 401: -32000, 403: -32000, 409: -32000, 429: -32000, 503: -32000 }

/**
 * The errors whose HTTP status or JSON-RPC code in the Universal Commerce Protocol (UCP) differs from USP. In UCP, only
 * errors about profiles have the status 422.
 */
const differences: Partial<Record<ProtocolCode, Partial<WireCodes>>> = {
  invalid_request: { rpc: -32602 },
  validation_error: { http: 400 },
  invalid_profile_url: { rpc: -32001 },
  profile_unreachable: { rpc: -32001 },
  profile_malformed: { rpc: -32001 },
  version_unsupported: { http: 422, rpc: -32001 },
}

/** Returns the HTTP status and the JSON-RPC code of an error, in the protocol of its call. */
export function wireCodesOf(code: ProtocolCode, protocol: Protocol): WireCodes {
  const { http, rpc } = errors[code]
  if (protocol === 'usp') return { http, rpc }
  return { http, rpc: rpcOfStatus[http] ?? rpc, ...differences[code] }
}
