import { canMail } from '../../../core/mails/build-queued-mails.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { HOUR } from '../../../infra/time/time-units.ts'
import { isUndeliverable } from '../../../infra/util/email-address.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { TestMailServer } from '../../../protocol/types.generated.ts'
import { describeMailServer, mailServerOutput, onMailServer } from './mail-server-schema.ts'
import { countTestMailsSince, TEST_MAIL } from './test-mail-queries.ts'

/** The maximum number of test mails in an hour. */
const MAX_TEST_MAILS = 10

export const testMailServer = defineOperation<TestMailServer>({
  ...onMailServer,
  id: 'testMailServer',
  rest: 'POST /business/mail_server/test',
  tool: 'usp_business_mail_server_test',
  title: 'Send a test mail',
  description:
    `Sends a test mail, at most ${MAX_TEST_MAILS} in an hour. The mail goes out after the answer; get the mail server ` +
    'to see what became of it.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['to'],
    properties: { to: { type: 'string', format: 'email', maxLength: 254, description: 'The recipient.' } },
  },
  output: mailServerOutput,
  summary: () => 'The test mail is on its way.',
  async handle(context) {
    const { input, db, caller, now, config } = context
    if (!(await canMail(context))) throw new BusinessRefusal('invalid_transition', 'There is no mail server yet.')
    if (isUndeliverable(input.to)) throw invalidInput('No mail can reach this address.', '$.to')
    if ((await countTestMailsSince(db, new Date(now.getTime() - HOUR))) >= MAX_TEST_MAILS)
      throw new ProtocolError('rate_limited', `At most ${MAX_TEST_MAILS} test mails can be sent in an hour.`, {
        retryAfter: 600,
      })
    const mail = {
      kind: TEST_MAIL,
      subject: `staff ${newId('tst')}`,
      to: { email: input.to.toLowerCase() },
      snapshot: {},
    }
    db.queueMail({ ...mail, onlyChannel: 'mail' }, now)
    insertAuditEntry(
      db,
      { actor: caller.principal, action: 'test_mail_server', subject: 'business', from: null, to: null },
      now,
    )
    return describeMailServer(db, config)
  },
})
