import { randomUUID } from 'node:crypto'
import { serializeString } from 'structured-headers'
import { ofBodies, readJson } from '../protocol/json.ts'
import type { Runtime } from '../runtime.ts'
import { callOutside } from '../trust/egress.ts'
import { signedHeaders } from '../trust/sign-request.ts'
import { signingKey } from '../trust/signing-keys.ts'
import { platformProfileUrl } from './addresses.ts'

const TIMEOUT = 8_000
const MOST_BYTES = 64 * 1024

/** Calls an operation of a business in the registry's own name. */
export async function callBusiness(
  runtime: Runtime,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  input?: object,
): Promise<{ status: number; body: unknown }> {
  const { config, clock } = runtime
  const body = input && Buffer.from(JSON.stringify(input))
  const headers = {
    'usp-agent': `profile=${serializeString(platformProfileUrl(config))}`,
    ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
  }
  const request = { method, url, headers, ...(body && { body }) }
  const signed = signedHeaders(request, await signingKey(runtime, clock()), clock())
  const answer = await callOutside(
    url,
    { ...request, headers: signed, timeout: TIMEOUT, mostBytes: MOST_BYTES },
    config,
  )
  return { status: answer.status, body: parsed(answer.body) }
}

function parsed(body: Buffer): unknown {
  try {
    return readJson(body, ofBodies)
  } catch {
    return undefined
  }
}
