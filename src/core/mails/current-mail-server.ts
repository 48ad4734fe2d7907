import type { KeyObject } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { MailServer, StoredMailServer } from '../../infra/config/mail-server.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { checkedTarget, EgressError } from '../egress/call-external-url.ts'
import { unseal } from '../keys/encrypt-secrets.ts'
import { type MailTransport, SEND_TIMEOUT_MS, smtpTransport } from './smtp.ts'

export interface OpenMailServer {
  transport: MailTransport
  /** The sender of the mails: an email address, with or without a name. */
  from: string
}

/**
 * Keeps the connections to the current mail server. The mail server in the settings of the operator has priority over
 * the mail server that an owner entered on the staff pages. After an owner enters another mail server, the server sends
 * the next mail through it.
 */
export function mailServerConnections(dependencies: Dependencies<'config' | 'business' | 'mailServerKey'>) {
  const { config, business, mailServerKey } = dependencies
  let current: MailServer | StoredMailServer | undefined
  let open: OpenMailServer | undefined
  const replaced = new Set<MailTransport>()
  /** Mails that wait for a connection to the replaced mail server still get one. */
  const closeLater = (transport: MailTransport) => {
    replaced.add(transport)
    setTimeout(() => {
      transport.close()
      replaced.delete(transport)
    }, SEND_TIMEOUT_MS).unref()
  }
  return {
    /** Returns the connections to the current mail server, or undefined if there is no mail server. */
    async get(): Promise<OpenMailServer | undefined> {
      const server = config.mail ?? (await business.mailServer())
      if (server !== current) {
        if (open) closeLater(open.transport)
        open = server && openMailServer(server, config, mailServerKey)
        current = server
      }
      return open
    },
    close() {
      for (const transport of replaced) transport.close()
      open?.transport.close()
      current = open = undefined
    },
  }
}

export type MailServerConnections = ReturnType<typeof mailServerConnections>

function openMailServer(server: MailServer | StoredMailServer, config: Config, key: KeyObject): OpenMailServer {
  if ('url' in server) return { transport: smtpTransport(server, config), from: server.from }
  const { url, from } = asMailServer(server, key)
  return {
    transport: smtpTransport({ url, from }, { mode: 'production' }, () => connectToMailServer(server, config)),
    from,
  }
}

function asMailServer({ host, port, security, username, password, sender }: StoredMailServer, key: KeyObject) {
  const url = new URL(`${security === 'tls' ? 'smtps' : 'smtp'}://${host}:${port}`)
  if (username !== null) url.username = encodeURIComponent(username)
  if (password !== null) url.password = encodeURIComponent(unseal(key, password))
  return { url: url.href, from: sender }
}

const CONNECT_MS = 10_000

/**
 * Opens a connection to a mail server that an owner entered. Such a mail server must be on the public internet, so that
 * an owner cannot reach internal services of the operator. Throws an error with a text for the owner.
 */
async function connectToMailServer(server: StoredMailServer, config: Config): Promise<Socket> {
  let failure = new Error('The mail server does not answer.')
  for (const address of await mailServerAddresses(server.host, config)) {
    try {
      return await connectTo(address, server.port)
    } catch (error) {
      if (error instanceof Error) failure = error
    }
  }
  throw failure
}

/**
 * Returns the IP addresses of the mail server. Throws an error with a text for the owner if one of them is not allowed.
 */
export async function mailServerAddresses(host: string, config: Config): Promise<string[]> {
  try {
    const { addresses } = await checkedTarget(`https://${host}/`, config)
    return addresses
  } catch (error) {
    throw error instanceof EgressError ? new Error(`The mail server ${error.message}.`) : error
  }
}

function connectTo(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, timeout: CONNECT_MS })
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.removeAllListeners()
      resolve(socket)
    })
    socket.once('timeout', () => socket.destroy(new Error('The mail server does not answer.')))
    socket.once('error', reject)
  })
}
