import { randomUUID } from 'node:crypto'
import { serializeString } from 'structured-headers'
import { callOutside } from '../../../core/egress/call-external-url.ts'
import { signedHeaders } from '../../../core/keys/sign-http-message.ts'
import { signingKey } from '../../../core/keys/signing-keys.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { bodyBounds, readJson } from '../../../protocol/parse-json-safely.ts'
import { platformProfileUrl } from './directory-urls.ts'

const TIMEOUT = 8_000
const MOST_BYTES = 64 * 1024

/** Calls an operation on the server of a listed business. The directory signs the request with its own key. */
export async function callBusiness(
  dependencies: Dependencies<'db' | 'config' | 'clock' | 'signingBox'>,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  input?: object,
): Promise<{ status: number; body: unknown }> {
  const { config, clock } = dependencies
  const body = input && Buffer.from(JSON.stringify(input))
  const headers = {
    'usp-agent': `profile=${serializeString(platformProfileUrl(config))}`,
    ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
  }
  const request = { method, url, headers, ...(body && { body }) }
  const signed = signedHeaders(request, await signingKey(dependencies, clock()), clock())
  const answer = await callOutside(
    url,
    { ...request, headers: signed, timeout: TIMEOUT, mostBytes: MOST_BYTES },
    config,
  )
  return { status: answer.status, body: parsed(answer.body) }
}

function parsed(body: Buffer): unknown {
  try {
    return readJson(body, bodyBounds)
  } catch {
    return undefined
  }
}
