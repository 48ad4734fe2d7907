import { refuseMissing } from './require-all-or-none.ts'

export interface MailServer {
  url: string
  /** The sender: an address, or a name and an address. */
  from: string
}

/** Both settings or neither: with one of them the server could not send mail, and no error would appear. */
export function mailServer(settings: Record<string, unknown>, hints: Record<string, string>): MailServer | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url === undefined && from === undefined) return undefined
  refuseMissing(['SMTP_URL', 'MAIL_FROM'], settings, hints)
  return { url: String(url), from: String(from) }
}

/** Refuses a path, query or hash after the host: people would expect an effect, and they have none. */
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

export const MAX_SENDER_CHARACTERS = 500

/** One address, in angle brackets after a name. */
export const isSender = (text: string): boolean =>
  text.length <= MAX_SENDER_CHARACTERS &&
  /^(?:[^\s<>@",;:]+@[^\s<>@",;:]+|(?:"[^"\\\p{Cc}]+"|[^"<>@,;:\\\p{Cc}]+) <[^\s<>@",;:]+@[^\s<>@",;:]+>)$/u.test(text)
