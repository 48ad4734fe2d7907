import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '../../infra/config/config.ts'
import type { MailServer } from '../../infra/config/mail-server.ts'
import { isThisMachine } from '../../infra/net/addresses.ts'
import { withTimeout } from '../../infra/util/with-timeout.ts'

/** The result of handing a mail to the mail server. The server does not repeat a hopeless attempt. */
export type SendResult = { result: 'sent' } | { result: 'failed' | 'hopeless'; problem: string }

export interface MailTransport {
  send(message: SendMailOptions): Promise<SendResult>
  close(): void
}

export const MAX_CONNECTIONS = 5
/** Mails sent over one connection before it is replaced. */
const MAILS_EACH = 200

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
/** Milliseconds without a byte from the mail server while it receives a mail. */
const IDLE_TIMEOUT_MS = 20_000
/** Milliseconds for one mail in total. A mail server that sends a byte now and then never reaches the limit above. */
const TOTAL_TIMEOUT_MS = 60_000

/** Sends mails through a mail server. In production it requires TLS, unless that server is on this machine. */
export function smtpTransport(server: MailServer, { mode }: Pick<Config, 'mode'>): MailTransport {
  const url = new URL(server.url)
  const isHere = isThisMachine(url)
  const pool = createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port !== '' && { port: Number(url.port) }),
    secure: url.protocol === 'smtps:',
    requireTLS: mode === 'production' && !isHere,
    // A mail server on this machine usually has a certificate that no known authority signed.
    ignoreTLS: isHere,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAILS_EACH,
    // The database schedules retries.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
  })
  // An error on an idle connection affects no mail.
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

/** Only the staff may see the problem, so it is not logged: an answer of the mail server may name the recipient. */
function sendFailure(error: unknown): SendResult {
  const { code, command, responseCode, response, message } = Object(error)
  const isRefused = command === 'RCPT TO' && responseCode >= 500 && responseCode !== AUTHENTICATION_REQUIRED
  const isHopeless = code === 'EENVELOPE' && (isRefused || command === 'API')
  const parts = [command, code, response ?? message].filter((part) => part !== undefined && part !== 'CONN')
  return { result: isHopeless ? 'hopeless' : 'failed', problem: parts.join(' ').slice(0, LONGEST_PROBLEM) }
}

/** The mail server gives this answer for any recipient; the fault is in the settings. */
const AUTHENTICATION_REQUIRED = 530
const LONGEST_PROBLEM = 500
