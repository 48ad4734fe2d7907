import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

/** One mail as it came. */
export interface Arrival {
  at: number
  to: string[]
  mail: ParsedMail
  raw: string
}

/** A mail server on loopback, and what it does with the next mails. */
export interface PostOffice {
  url: string
  arrivals: Arrival[]
  /** A status for the recipient or, once it has all, for the mail; or a server that does not answer any more. */
  answer:
    | ('take' | 'hang' | 'hang up' | 'take and hang up' | 'take and say nothing')
    | { recipient: number }
    | { mail: number }
  /** Runs between the arrival of a mail and its answer. */
  beforeAnswer?(): Promise<unknown>
}

export async function postOffice(host = '127.0.0.1'): Promise<PostOffice> {
  const office: PostOffice = { url: '', arrivals: [], answer: 'take' }
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      password === 'right/@' ? done(null, { user: username }) : done(new Error('No such user')),
    onRcptTo(_, __, done) {
      if (office.answer === 'hang') return
      if (office.answer === 'hang up') return cut()
      const { answer } = office
      done(typeof answer === 'object' && 'recipient' in answer ? refusal(answer.recipient) : null)
    },
    async onData(stream, session, done) {
      // Who is killed in the midst of it sends no more of it.
      const raw = await text(stream).catch(() => undefined)
      if (raw === undefined) return
      const { answer } = office
      if (typeof answer === 'object') return done(refusal('mail' in answer ? answer.mail : 451))
      const at = performance.now()
      const mail = await simpleParser(raw)
      office.arrivals.push({ at, to: session.envelope.rcptTo.map(({ address }) => address), mail, raw })
      await office.beforeAnswer?.()
      if (answer === 'take') done(null)
      else if (answer !== 'take and say nothing') cut()
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, host)
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  office.url = `smtp://${host}:${port}`
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return office
}

const refusal = (responseCode: number) => Object.assign(new Error('not now, or never'), { responseCode })
