import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '../../infra/config/config.ts'
import type { MailServer } from '../../infra/config/mail-server.ts'
import { isThisMachine } from '../../infra/net/addresses.ts'
import { inTime } from '../../infra/util/in-time.ts'

/** What became of a mail that a server was to take. */
export type Handed = { result: 'sent' } | { result: 'failed' | 'hopeless'; problem: string }

export interface MailTransport {
  send(message: SendMailOptions): Promise<Handed>
  close(): void
}

/** Connections to the mail server. */
export const CONNECTIONS = 5
/** Mails sent over one connection before it is replaced. */
const MAILS_EACH = 200

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
/** Of silence while a mail is handed over. */
const SILENCE_MS = 20_000
/** Until one is handed over in all: a server that speaks a byte now and then is never silent. */
const WHOLE_MS = 60_000

/** Mails by a mail server, encrypted unless it is on this machine; in development as it can. */
export function smtpTransport(server: MailServer, { mode }: Pick<Config, 'mode'>): MailTransport {
  const url = new URL(server.url)
  const isHere = isThisMachine(url)
  const pool = createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port !== '' && { port: Number(url.port) }),
    secure: url.protocol === 'smtps:',
    requireTLS: mode === 'production' && !isHere,
    // What a server on this machine shows is not from anybody who is known to others.
    ignoreTLS: isHere,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_EACH,
    // When it is tried again is written in the database.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
  })
  // What fails of a connection that is sending nothing concerns no mail.
  pool.on('error', () => {})
  return {
    send: (message) =>
      inTime(pool.sendMail(message), WHOLE_MS, () => new Error('took too long')).then(
        () => ({ result: 'sent' }),
        handed,
      ),
    close: () => pool.close(),
  }
}

/** Not to be told by who has the log, but by the staff: what a server says may name who the mail is for. */
function handed(error: unknown): Handed {
  const { code, command, responseCode, response, message } = Object(error)
  const isRefused = command === 'RCPT TO' && responseCode >= 500 && responseCode !== WANTS_A_PASSWORD
  const isHopeless = code === 'EENVELOPE' && (isRefused || command === 'API')
  const said = [command, code, response ?? message].filter((part) => part !== undefined && part !== 'CONN')
  return { result: isHopeless ? 'hopeless' : 'failed', problem: said.join(' ').slice(0, LONGEST_PROBLEM) }
}

/** Said of any recipient, and a matter of the settings. */
const WANTS_A_PASSWORD = 530
const LONGEST_PROBLEM = 500
