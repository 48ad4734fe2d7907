import { mailServerDelete, mailServerLock, storedMailServer } from '../../../core/business/mail-server-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { RemoveMailServer } from '../../../protocol/types.generated.ts'
import { describeMailServer, mailServerOutput, nameOf, onMailServer } from './mail-server-schema.ts'

export const removeMailServer = defineOperation<RemoveMailServer>({
  ...onMailServer,
  id: 'removeMailServer',
  rest: 'DELETE /business/mail_server',
  tool: 'usp_business_mail_server_remove',
  title: 'Remove the mail server',
  description:
    'Deletes the mail server that an owner entered, with its password. Without a mail server, no mails are sent, and ' +
    'waiting ones are given up after some hours.',
  effect: 'remove',
  input: { type: 'object', properties: {} },
  output: mailServerOutput,
  summary: () => 'The mail server is removed.',
  async handle({ db, caller, now, config }) {
    await mailServerLock(db)
    const before = await storedMailServer(db)
    if (before) {
      await mailServerDelete(db)
      const entry = { actor: caller.principal, action: 'remove_mail_server', subject: 'business', from: null, to: null }
      insertAuditEntry(db, { ...entry, detail: { before: nameOf(before) } }, now)
    }
    return describeMailServer(db, config)
  },
  afterwards: ({ business, db }) => business.seenBy(db),
})
