import {
  storedTextProvider,
  textProviderLock,
  textProviderRevision,
} from '../../../core/business/text-provider-queries.ts'
import { countTestsSince, TEST_TEXT } from '../../../core/mails/test-mail-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { numberInCountries } from '../../../core/texts/phone-numbers.ts'
import { isNumberStopped } from '../../../core/texts/stopped-number-queries.ts'
import { HOUR } from '../../../infra/time/time-units.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { TestTextProvider } from '../../../protocol/types.generated.ts'
import { NO_ADDRESS } from '../bookings/create-booking.ts'
import { describeTextProvider, onTextProvider, textProviderOutput } from './text-provider-schema.ts'

/** The maximum number of test messages in an hour. */
const MAX_TEST_TEXTS = 10
/** The wait before a test message, in milliseconds. In this time, each process notices a provider that just changed. */
const TEST_TEXT_WAIT_MS = 1_500

export const testTextProvider = defineOperation<TestTextProvider>({
  ...onTextProvider,
  id: 'testTextProvider',
  rest: 'POST /business/text_provider/test',
  tool: 'usp_business_text_provider_test',
  title: 'Send a test message',
  description:
    `Sends a text message to a phone, at most ${MAX_TEST_TEXTS} in an hour, also in the quiet hours. Get the ` +
    'provider later to see the result.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['to'],
    properties: {
      to: { type: 'string', minLength: 1, maxLength: 40, description: 'The phone number, such as +12125551234.' },
    },
  },
  output: textProviderOutput,
  summary: () => 'The test message is on its way.',
  async handle(context) {
    const { input, db, caller, now } = context
    // With the lock, tests at the same time cannot exceed the maximum.
    await textProviderLock(db)
    const provider = await storedTextProvider(db)
    if (!provider) throw new BusinessRefusal('invalid_transition', 'There is no provider of text messages yet.')
    const number = numberInCountries(input.to, provider.countries)
    if (number === undefined)
      throw invalidInput('Enter a phone number of a country to which messages go, such as +12125551234.', '$.to')
    if (await isNumberStopped(db, number)) throw invalidInput('This number wants no text messages.', '$.to')
    if ((await countTestsSince(db, TEST_TEXT, new Date(now.getTime() - HOUR))) >= MAX_TEST_TEXTS)
      throw new ProtocolError('rate_limited', `At most ${MAX_TEST_TEXTS} test messages can be sent in an hour.`, {
        retryAfter: 600,
      })
    const message = {
      kind: TEST_TEXT,
      subject: `staff ${newId('tst')}`,
      to: { email: NO_ADDRESS, textNumber: number },
      snapshot: { revision: await textProviderRevision(db) },
      notBefore: new Date(now.getTime() + TEST_TEXT_WAIT_MS),
    }
    db.queueMail({ ...message, onlyChannel: 'text' }, now)
    const entry = { actor: caller.principal, action: 'test_text_provider', subject: 'business', from: null, to: null }
    insertAuditEntry(db, entry, now)
    return { ...(await describeTextProvider(context)), last_test: { status: 'waiting' as const } }
  },
})
