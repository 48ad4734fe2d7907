import type { Config } from '../../infra/config/config.ts'
import { botHeaders, botKey } from '../keys/web-bot-auth.ts'
import type { EgressRequest } from './send-outside.ts'

/** The bot identity of this server. Undefined where other hosts cannot fetch its key: without https or a secret key. */
export const botOf = ({ secretKey, baseUrl }: Config) =>
  secretKey !== undefined && baseUrl.startsWith('https:') ? { origin: baseUrl, key: botKey(secretKey) } : undefined

/** Signs the request as web bots do. Leaves signed requests alone: some verifiers fail on a second signature. */
export function signedAsBot(request: EgressRequest, url: URL, config: Config): EgressRequest {
  const { method = 'GET', headers = {} } = request
  const bot = headers.signature === undefined ? botOf(config) : undefined
  if (!bot) return request
  return { ...request, headers: { ...headers, ...botHeaders(method, url, { ...bot, now: new Date() }) } }
}
