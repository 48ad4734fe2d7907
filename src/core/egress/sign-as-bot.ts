import type { Config } from '../../infra/config/config.ts'
import { botHeaders, botKey } from '../keys/web-bot-auth.ts'
import type { EgressRequest } from './send-outside.ts'

/** Who this server is to those it calls: nobody where nobody could look its key up. */
export const botOf = ({ secretKey, baseUrl }: Config) =>
  secretKey !== undefined && baseUrl.startsWith('https:') ? { origin: baseUrl, key: botKey(secretKey) } : undefined

/** The request as web bots sign theirs. What is signed already stays as it is: some who verify it stumble over a second. */
export function signedAsBot(request: EgressRequest, url: URL, config: Config): EgressRequest {
  const { method = 'GET', headers = {} } = request
  const bot = headers.signature === undefined ? botOf(config) : undefined
  if (!bot) return request
  return { ...request, headers: { ...headers, ...botHeaders(method, url, { ...bot, now: new Date() }) } }
}
