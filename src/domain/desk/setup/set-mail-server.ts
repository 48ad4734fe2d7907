import type { KeyObject } from 'node:crypto'
import { mailServerLock, mailServerReplace, storedMailServer } from '../../../core/business/mail-server-queries.ts'
import { mailServerAddresses } from '../../../core/mails/current-mail-server.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { isSender, type StoredMailServer } from '../../../infra/config/mail-server.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { SetMailServer } from '../../../protocol/types.generated.ts'
import {
  describeMailServer,
  mailServerInput,
  mailServerOutput,
  nameOf,
  onMailServer,
  refuseBesideOperator,
} from './mail-server-schema.ts'
import { secretToStore } from './secret-to-store.ts'

export const setMailServer = defineOperation<SetMailServer & { needs: Dependencies<'mailServerKey'> }>({
  ...onMailServer,
  id: 'setMailServer',
  rest: 'PUT /business/mail_server',
  tool: 'usp_business_mail_server_set',
  title: 'Set the mail server',
  description:
    'Stores the mail server through which this server sends its mails. It must be on the public internet and use TLS. ' +
    'The password is stored encrypted and never shown. Send a test mail afterwards.',
  effect: 'update',
  hasSecretInput: true,
  input: { type: 'object', required: ['host', 'port', 'security', 'sender'], properties: mailServerInput },
  output: mailServerOutput,
  summary: ({ mail_server: server }) => `Mails go out through ${server?.host}.`,
  async prepare({ input: { host, port }, config }) {
    refuseBesideOperator(config)
    if (config.mode === 'production' && !MAIL_PORTS.includes(port))
      throw invalidInput(`Mail servers use one of these ports: ${MAIL_PORTS.join(', ')}.`, '$.port')
    await mailServerAddresses(host, config).catch((error: Error) => {
      throw invalidInput(error.message, '$.host')
    })
  },
  async handle({ input, db, caller, now, config, mailServerKey }) {
    const { host, port, security, sender, username = null } = input
    if (!isSender(sender))
      throw invalidInput('The sender must be an email address, or a name and an address in angle brackets.', '$.sender')
    await mailServerLock(db)
    const before = await storedMailServer(db)
    const password = passwordFor(input, before, mailServerKey)
    const server = { host: host.toLowerCase(), port, security, sender, username, password }
    await mailServerReplace(db, server)
    const detail = { before: before ? nameOf(before) : null, now: nameOf(server) }
    const entry = {
      actor: caller.principal,
      action: 'set_mail_server',
      subject: 'business',
      from: null,
      to: null,
      detail,
    }
    insertAuditEntry(db, entry, now)
    return describeMailServer(db, config)
  },
  afterwards: ({ business, db }) => business.seenBy(db),
})

/**
 * The ports at which mail providers accept mails. With other ports, an owner could use the server to examine other hosts.
 */
const MAIL_PORTS: readonly number[] = [25, 26, 465, 587, 2465, 2525, 2587]

/** Returns the encrypted password of the mail server. A mail server without a user name has none. */
function passwordFor(
  { host, username, password }: SetMailServer['input'],
  stored: StoredMailServer | undefined,
  key: KeyObject,
): Buffer | null {
  if (username === undefined && password === undefined) return null
  if (username === undefined) throw invalidInput('A password needs a user name.', '$.username')
  const isSame = stored?.host === host.toLowerCase() && stored.username === username
  return secretToStore(password, {
    stored: isSame ? stored.password : undefined,
    key,
    refusal: () => invalidInput('Enter the password: none is stored for this host and user name.', '$.password'),
  })
}
