export interface ErrorNumbers {
  /** The HTTP status over REST. A list if the specification allows several. */
  rest: number | number[]
  /** The JSON-RPC error number over MCP. A list if the specification allows several. */
  mcp: number | number[]
}

/** The HTTP statuses and JSON-RPC numbers of the protocol errors that many checks expect. */
export const errorNumbers = {
  authentication_required: { rest: 401, mcp: -32006 },
  booking_not_found: { rest: 404, mcp: -32602 },
  entry_not_found: { rest: 404, mcp: -32602 },
  hold_limit_exceeded: { rest: 429, mcp: -32007 },
  idempotency_conflict: { rest: 409, mcp: -32602 },
  invalid_profile_url: { rest: 400, mcp: -32602 },
  invalid_request: { rest: 400, mcp: -32600 },
  profile_malformed: { rest: 422, mcp: -32004 },
  profile_unreachable: { rest: 424, mcp: -32003 },
  range_too_wide: { rest: 400, mcp: -32602 },
  revision_mismatch: { rest: 412, mcp: -32002 },
  service_not_found: { rest: 404, mcp: -32602 },
  validation_error: { rest: 422, mcp: -32602 },
} satisfies Record<string, ErrorNumbers>

export type UsualError = keyof typeof errorNumbers
