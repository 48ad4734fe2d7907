import type { Members } from '../caller/answer.ts'
import type { KeyPair } from '../caller/key-pair.ts'

const VERSION = '2026-08-20'

/** Creates a platform profile with these keys, and with each capability that the business offers. */
export function platformProfile(capabilities: readonly string[], keys: KeyPair[], webhookUrl: string): Members {
  const entry = {
    version: VERSION,
    spec: 'https://usp-protocol.dev/specification',
    schema: 'https://usp-protocol.dev/schemas/usp.json',
  }
  return {
    usp: { version: VERSION, capabilities: Object.fromEntries(capabilities.map((name) => [name, [entry]])) },
    keys: keys.map(({ published }) => published),
    webhook_url: webhookUrl,
  }
}
