import type { Exchange } from '../caller/exchange.ts'

const SECRET_HEADERS = ['authorization', 'dpop', 'cookie', 'set-cookie']
/** Secrets in bodies: booking-scoped credentials, and proofs in the arguments of MCP tools. */
const SECRETS = /\bbsc_[\w-]+|"proof":"[^"]+"/g
const MAX_BODY_CHARACTERS = 4000

/** Prepares a request and its answer for a report: removes secrets and shortens bodies. */
export function asEvidence({ request, answer, milliseconds }: Exchange): Exchange {
  return {
    request: { ...request, headers: withoutSecrets(request.headers), body: shortened(request.body) },
    answer: answer && { ...answer, headers: withoutSecrets(answer.headers), body: shortened(answer.body) ?? '' },
    milliseconds,
  }
}

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '[removed]' : value]))
}

function shortened(body: string | undefined): string | undefined {
  const text = body?.replace(SECRETS, '[removed]')
  return text && text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}…` : text
}
