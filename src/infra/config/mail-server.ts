import { refuseMissing } from './require-settings-together.ts'

export interface MailServer {
  url: string
  /** The sender of the mails: an address, or a name with an address. */
  from: string
}

/**
 * Reads the address and the sender for mails. Requires both settings or none. With only one setting, the server could
 * not send mails, and no error would tell the operator.
 */
export function mailServer(settings: Record<string, unknown>, hints: Record<string, string>): MailServer | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url === undefined && from === undefined) return undefined
  refuseMissing(['SMTP_URL', 'MAIL_FROM'], settings, hints)
  return { url: String(url), from: String(from) }
}

/**
 * Whether the text is the address of a mail server. An address with a path, query or fragment is invalid, because these
 * would have no effect.
 */
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

/** Whether the text is a sender of mails: one address, or a name and one address in angle brackets. */
export const isSender = (text: string): boolean =>
  text.length <= MAX_SENDER_CHARACTERS &&
  /^(?:[^\s<>@",;:]+@[^\s<>@",;:]+|(?:"[^"\\\p{Cc}]+"|[^"<>@,;:\\\p{Cc}]+) <[^\s<>@",;:]+@[^\s<>@",;:]+>)$/u.test(text)
