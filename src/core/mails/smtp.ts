import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MailServer } from '../../infra/config/mail-server.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { isThisMachine } from '../../infra/net/ip-addresses.ts'
import { withTimeout } from '../../infra/util/with-timeout.ts'

/**
 * Whether the mail server accepted a mail. `hopeless`: this server gives the mail up, because another attempt would
 * fail too.
 */
export type SendResult = { result: 'sent' } | { result: 'failed' | 'hopeless'; problem: string }

export interface MailTransport {
  send(message: SendMailOptions): Promise<SendResult>
  close(): void
}

export const MAX_CONNECTIONS = 5
/**
 * The maximum number of mails that the server sends over one connection to the mail server. For more mails, it opens a
 * new connection.
 */
const MAILS_EACH = 200

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
/** How long the mail server may stay silent while this server sends it a mail, in milliseconds. */
const IDLE_TIMEOUT_MS = 20_000
/**
 * How long sending one mail may take, in milliseconds. A mail server that sends a byte now and then never reaches
 * `IDLE_TIMEOUT_MS`.
 */
const TOTAL_TIMEOUT_MS = 60_000

/** Sends mails through a mail server. Production requires TLS, unless the mail server is on this machine. */
export function smtpTransport(server: MailServer, { mode }: Pick<Config, 'mode'>): MailTransport {
  const url = new URL(server.url)
  const isHere = isThisMachine(url)
  const pool = createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port !== '' && { port: Number(url.port) }),
    secure: url.protocol === 'smtps:',
    requireTLS: mode === 'production' && !isHere,
    // A mail server on this machine usually has a certificate that no known authority has signed, so TLS is not used.
    ignoreTLS: isHere,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAILS_EACH,
    // The mail library does not repeat attempts, because the database schedules the attempts.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
  })
  // The listener ignores this error, because an unused connection to the mail server can fail without any effect on
  // mails.
  pool.on('error', () => {})
  return {
    send: (message) =>
      withTimeout(pool.sendMail(message), TOTAL_TIMEOUT_MS, () => new Error('took too long')).then(
        () => ({ result: 'sent' }),
        sendFailure,
      ),
    close: () => pool.close(),
  }
}

/**
 * Describes a failed attempt to send a mail. The mail server's answer can contain the recipient's address. The text is
 * therefore stored for the staff, and not logged.
 */
function sendFailure(error: unknown): SendResult {
  const { code, command, responseCode, response, message } = Object(error)
  const isRefused = command === 'RCPT TO' && responseCode >= 500 && responseCode !== AUTHENTICATION_REQUIRED
  const isHopeless = code === 'EENVELOPE' && (isRefused || command === 'API')
  const parts = [command, code, response ?? message].filter((part) => part !== undefined && part !== 'CONN')
  return { result: isHopeless ? 'hopeless' : 'failed', problem: parts.join(' ').slice(0, LONGEST_PROBLEM) }
}

/** With wrong settings of this server, the mail server answers this status for every recipient. */
const AUTHENTICATION_REQUIRED = 530
const LONGEST_PROBLEM = 500
