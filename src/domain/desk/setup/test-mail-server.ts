import { mailServerLock, mailServerRevision } from '../../../core/business/mail-server-queries.ts'
import { canMail } from '../../../core/mails/build-queued-mails.ts'
import { countTestsSince, TEST_MAIL } from '../../../core/mails/test-mail-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { HOUR } from '../../../infra/time/time-units.ts'
import { isUndeliverable, LONGEST_EMAIL } from '../../../infra/util/email-address.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { TestMailServer } from '../../../protocol/types.generated.ts'
import { describeMailServer, mailServerOutput, onMailServer } from './mail-server-schema.ts'

/** The maximum number of test mails that the server sends in an hour. */
const MAX_TEST_MAILS = 10
/**
 * The wait before a test mail, in milliseconds. In this time, each process notices a mail server that an owner has just
 * entered.
 */
const TEST_MAIL_WAIT_MS = 1_500

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
    properties: { to: { type: 'string', format: 'email', maxLength: LONGEST_EMAIL, description: 'The recipient.' } },
  },
  output: mailServerOutput,
  summary: () => 'The test mail is on its way.',
  async handle(context) {
    const { input, db, caller, now, config } = context
    if (!(await canMail(context))) throw new BusinessRefusal('invalid_transition', 'There is no mail server yet.')
    // With the lock, tests at the same time cannot exceed the maximum.
    await mailServerLock(db)
    if ((await countTestsSince(db, TEST_MAIL, new Date(now.getTime() - HOUR))) >= MAX_TEST_MAILS)
      throw new ProtocolError('rate_limited', `At most ${MAX_TEST_MAILS} test mails can be sent in an hour.`, {
        retryAfter: 600,
      })
    const mail = {
      kind: TEST_MAIL,
      subject: `staff ${newId('tst')}`,
      to: { email: input.to.toLowerCase() },
      snapshot: { revision: await mailServerRevision(db) },
      notBefore: new Date(now.getTime() + TEST_MAIL_WAIT_MS),
    }
    if (isUndeliverable(input.to) || !db.queueMail({ ...mail, onlyChannel: 'mail' }, now))
      throw invalidInput('No mail can reach this address.', '$.to')
    insertAuditEntry(
      db,
      { actor: caller.principal, action: 'test_mail_server', subject: 'business', from: null, to: null },
      now,
    )
    return { ...(await describeMailServer(db, config)), last_test: { status: 'waiting' as const } }
  },
})
