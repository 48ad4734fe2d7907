import { mailServerReplace, storedMailServer } from '../../../core/business/mail-server-queries.ts'
import { seal } from '../../../core/keys/encrypt-secrets.ts'
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
  onMailServer,
  refuseBesideOperator,
} from './mail-server-schema.ts'

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
  input: { type: 'object', required: ['host', 'port', 'security', 'sender'], properties: mailServerInput },
  output: mailServerOutput,
  summary: ({ mail_server: server }) => `Mails go out through ${server?.host}.`,
  async prepare({ input: { host }, config }) {
    refuseBesideOperator(config)
    await mailServerAddresses(host, config).catch((error: Error) => {
      throw invalidInput(error.message, '$.host')
    })
  },
  async handle({ input, db, caller, now, config, mailServerKey }) {
    const { host, port, security, sender, username = null } = input
    if (!isSender(sender))
      throw invalidInput('The sender must be an email address, or a name and an address in angle brackets.', '$.sender')
    const password = passwordFor(input, await storedMailServer(db), mailServerKey)
    await mailServerReplace(db, { host: host.toLowerCase(), port, security, sender, username, password })
    insertAuditEntry(
      db,
      { actor: caller.principal, action: 'set_mail_server', subject: 'business', from: null, to: null },
      now,
    )
    return describeMailServer(db, config)
  },
})

/**
 * Returns the encrypted password. Without a new password, the stored one stays valid only for the same host and user
 * name. Otherwise, an owner could send it to a host of their own and read it there.
 */
function passwordFor(
  { host, username, password }: SetMailServer['input'],
  stored: StoredMailServer | undefined,
  key: Parameters<typeof seal>[0],
): Buffer | null {
  if (username === undefined && password === undefined) return null
  if (username === undefined) throw invalidInput('A password needs a user name.', '$.username')
  if (password !== undefined) return seal(key, password)
  const isSame = stored?.host === host.toLowerCase() && stored.username === username
  if (!isSame || stored.password === null)
    throw invalidInput('Enter the password: none is stored for this host and user name.', '$.password')
  return stored.password
}
