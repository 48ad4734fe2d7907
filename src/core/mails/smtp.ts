import type { Socket } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MailServer } from '../../infra/config/mail-server.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { isThisMachine } from '../../infra/net/ip-addresses.ts'
import { oneLine, shortened } from '../../infra/util/plain-text.ts'
import { withTimeout } from '../../infra/util/with-timeout.ts'

/**
 * The result of handing a mail to the mail server. `hopeless` means that each further attempt would also fail, so this
 * server gives the mail up.
 */
export type SendResult = { result: 'sent' } | { result: 'failed' | 'hopeless'; problem: string }

export interface MailTransport {
  send(message: SendMailOptions): Promise<SendResult>
  close(): void
}

export const MAX_CONNECTIONS = 5
/**
 * The maximum number of mails that this server sends over one connection. For further mails, it opens a new connection
 * to the mail server.
 */
const MAILS_EACH = 200

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
/** How long the mail server may stay silent while this server sends it a mail, in milliseconds. */
const IDLE_TIMEOUT_MS = 20_000
/**
 * How long sending one mail may take, in milliseconds. The limit also ends a connection to a mail server that slowly
 * sends single bytes and never reaches `IDLE_TIMEOUT_MS`.
 */
export const SEND_TIMEOUT_MS = 60_000

/**
 * Sends mails through a mail server. In production, the connection must use TLS, except to a mail server on this
 * machine. With `openSocket`, the caller opens the connections itself, so that it can check the IP addresses first.
 */
export function smtpTransport(
  server: MailServer,
  { mode }: Pick<Config, 'mode'>,
  openSocket?: () => Promise<Socket>,
): MailTransport {
  const url = new URL(server.url)
  const isHere = isThisMachine(url)
  const pool = createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port !== '' && { port: Number(url.port) }),
    ...(openSocket && {
      getSocket: (_: unknown, done: (error: Error | null, socket?: { connection: Socket }) => void) =>
        void openSocket().then((connection) => done(null, { connection }), done),
    }),
    secure: url.protocol === 'smtps:',
    requireTLS: mode === 'production' && !isHere,
    // The connection to a mail server on this machine does not use TLS, because such a mail server usually has a
    // certificate from no known authority.
    ignoreTLS: isHere,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAILS_EACH,
    // The mail library must not repeat a failed attempt, because this server plans all attempts in its database.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
  })
  // The listener ignores errors of unused connections to the mail server, because such errors have no effect on mails.
  pool.on('error', () => {})
  return {
    send: (message) =>
      withTimeout(pool.sendMail(message), SEND_TIMEOUT_MS, () => new Error('took too long')).then(
        () => ({ result: 'sent' }),
        sendFailure,
      ),
    close: () => pool.close(),
  }
}

/**
 * Describes a failed attempt to send a mail. The answer of the mail server can contain the recipient's email address.
 * Therefore the server stores the description for the staff, and does not log it.
 */
function sendFailure(error: unknown): SendResult {
  const { code, command, responseCode, response, message } = Object(error)
  const isRefused = command === 'RCPT TO' && responseCode >= 500 && !isAboutThisServer(responseCode, response)
  const isHopeless = code === 'EENVELOPE' && (isRefused || command === 'API')
  const parts = [command, code, response ?? message].filter((part) => part !== undefined && part !== 'CONN')
  return { result: isHopeless ? 'hopeless' : 'failed', problem: describedFailure(parts.join(' ')) }
}

/**
 * Whether the mail server refuses this server or its sender, and not the recipient. The reason is then a wrong setting,
 * such as a missing user name. A later attempt can succeed, after somebody has corrected the setting. The statuses are
 * those of RFC 5321, and `5.7.` marks reasons of security and policy (RFC 3463).
 */
const isAboutThisServer = (status: number, response: unknown): boolean =>
  [530, 553, 554].includes(status) || /\b5\.7\.\d/.test(String(response).slice(0, LONGEST_PROBLEM))

/** The text has no control characters, because PostgreSQL cannot store a NUL character. */
const describedFailure = (text: string): string =>
  shortened(oneLine(text.slice(0, 2 * LONGEST_PROBLEM)), LONGEST_PROBLEM)

const LONGEST_PROBLEM = 500
