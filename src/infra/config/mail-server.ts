import { refuseMissing } from './refuse-missing.ts'

export interface MailServer {
  url: string
  /** Who it comes from: an address, or a name and an address. */
  from: string
}

/** With half of it nothing could be sent, and nobody would see why. */
export function mailServer(given: Record<string, unknown>, hints: Record<string, string>): MailServer | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = given
  if (url === undefined && from === undefined) return undefined
  refuseMissing(['SMTP_URL', 'MAIL_FROM'], given, hints)
  return { url: String(url), from: String(from) }
}

/** What else could stand behind the host would be taken for something that it does not do. */
export function isMailServer(address: string): boolean {
  const url = URL.parse(address)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  return /^\/?$/.test(url.pathname + url.search + url.hash) && isDecodable(url.username) && isDecodable(url.password)
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

export const LONGEST_SENDER = 500

/** One address, in angle brackets where a name stands before it. */
export const isSender = (text: string): boolean =>
  text.length <= LONGEST_SENDER &&
  /^(?:[^\s<>@",;:]+@[^\s<>@",;:]+|(?:"[^"\\\p{Cc}]+"|[^"<>@,;:\\\p{Cc}]+) <[^\s<>@",;:]+@[^\s<>@",;:]+>)$/u.test(text)
