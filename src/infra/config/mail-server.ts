import { refuseMissing } from './require-settings-together.ts'

export interface MailServer {
  url: string
  /** The sender of the mails: an email address, with or without a name. */
  from: string
}

/** A mail server that an owner entered on the staff pages. The database stores the password only encrypted. */
export interface StoredMailServer {
  host: string
  port: number
  /** `tls`: the connection uses TLS from the start. `starttls`: the connection changes to TLS before the sign-in. */
  security: 'tls' | 'starttls'
  username: string | null
  password: Buffer | null
  sender: string
}

/**
 * Reads the two mail settings: the URL of the mail server, and the sender. The operator must set both settings or
 * neither. The server could not send mails with only one of them.
 */
export function mailServer(settings: Record<string, unknown>, hints: Record<string, string>): MailServer | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url === undefined && from === undefined) return undefined
  refuseMissing(['SMTP_URL', 'MAIL_FROM'], settings, hints)
  return { url: String(url), from: String(from) }
}

/**
 * Whether the text is the URL of a mail server, such as `smtps://mail.example.com`. The server refuses a path, query or
 * fragment in the URL, because these parts would have no effect.
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

/** Whether the text is a valid sender for mails: an email address, or a name and an address in angle brackets. */
export const isSender = (text: string): boolean =>
  text.length <= MAX_SENDER_CHARACTERS &&
  /^(?:[^\s<>@",;:]+@[^\s<>@",;:]+|(?:"[^"\\\p{Cc}]+"|[^"<>@,;:\\\p{Cc}]+) <[^\s<>@",;:]+@[^\s<>@",;:]+>)$/u.test(text)
