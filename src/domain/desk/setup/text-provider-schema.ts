import { storedTextProvider, textProviderRevision } from '../../../core/business/text-provider-queries.ts'
import { lastTest, TEST_TEXT } from '../../../core/mails/test-mail-queries.ts'
import { sentTextTotals } from '../../../core/mails/text-message-queries.ts'
import { type StoredTextProvider, TEXT_ADAPTERS, TEXT_TOPICS } from '../../../infra/config/text-provider.ts'
import { minorUnitsIn, rounded } from '../../../infra/util/round-money.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import { amount, atDesk } from '../shared/operation-defaults.ts'

/**
 * Settings that all operations on the provider of text messages share. Only owners may call these operations, because
 * each text message costs money, and because the provider gets the links to the bookings.
 */
export const onTextProvider = { ...atDesk, role: 'owner' } as const

export const MAX_URL_CHARACTERS = 500
export const MAX_ACCOUNT_CHARACTERS = 100
export const MAX_SENDER_CHARACTERS = 34
const MAX_SECRET_CHARACTERS = 500
export const MAX_DAILY_LIMIT = 100_000

const time = (description: string) => ({ type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description })

const shared = {
  adapter: {
    enum: TEXT_ADAPTERS,
    description: 'The kind of provider. http: your own program gets each message as an HTTP call.',
  },
  account: {
    type: 'string',
    maxLength: MAX_ACCOUNT_CHARACTERS,
    description:
      'Twilio: the Account SID. Bird: the ids of workspace and channel, with a slash between. Your own program: none.',
  },
  sender: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SENDER_CHARACTERS,
    description:
      'A phone number such as +12125551234, a name of up to 11 letters and digits, or a messaging service of Twilio.',
  },
  countries: {
    type: 'array',
    minItems: 1,
    maxItems: 250,
    uniqueItems: true,
    items: { type: 'string', pattern: '^[A-Z]{2}$' },
    description:
      'The countries (ISO 3166-1 codes) that get messages. A number without a country code belongs to the first one.',
  },
  topics: {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { enum: TEXT_TOPICS },
    description: 'The notifications that also go out as text messages.',
  },
  quiet_from: time('Local time of the business from which no messages go out, such as 21:00.'),
  quiet_until: time('Local time at which the quiet hours end, such as 08:00.'),
  daily_limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_DAILY_LIMIT,
    description: 'The largest number of messages in 24 hours.',
  },
  price: {
    type: 'string',
    pattern: '^[0-9]{1,4}([.][0-9]{1,6})?$',
    description: 'The price of one segment in the currency of the business, such as 0.075.',
  },
} as const

export const textProviderInput = {
  ...shared,
  url: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_URL_CHARACTERS,
    description: 'The https URL of your own program, or the API of another region of Twilio or Bird.',
  },
  secret: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SECRET_CHARACTERS,
    description:
      'The Auth Token of Twilio, or the access key of Bird. Leave it out to keep the stored one for the same provider, URL and account.',
  },
} as const

export const textProviderOutput = {
  type: 'object',
  required: ['last_30_days'],
  properties: {
    text_provider: {
      type: 'object',
      required: ['adapter', 'url', 'account', 'sender', 'countries', 'topics', 'daily_limit'],
      description: 'The provider that an owner entered. The secret is never shown.',
      properties: { ...shared, url: { type: 'string', description: 'The URL to which the messages go.' } },
    },
    last_30_days: {
      type: 'object',
      required: ['messages', 'segments'],
      description: 'The messages of the last 30 days.',
      properties: {
        messages: { type: 'integer', description: 'The number of sent messages.' },
        segments: { type: 'integer', description: 'The number of their segments. Providers charge for each segment.' },
        cost: amount('The estimated cost in the currency of the business, from the price of a segment.'),
      },
    },
    last_test: {
      type: 'object',
      required: ['status'],
      description: 'The latest test message.',
      properties: {
        status: { enum: ['waiting', 'sent', 'given_up', 'dropped'], description: 'The status of the test message.' },
        problem: { type: 'string', description: 'What the provider answered, or why it was not reached.' },
      },
    },
  },
} as const

/** Describes the provider of text messages and the use of the last 30 days. The description contains no secret. */
export async function describeTextProvider({ db, now, business }: Pick<Context, 'db' | 'now' | 'business'>) {
  const stored = await storedTextProvider(db)
  const test = await lastTest(db, TEST_TEXT, await textProviderRevision(db))
  const totals = await sentTextTotals(db, now)
  const currency = (await business.get())?.business.currency
  return {
    ...(stored && { text_provider: withoutSecret(stored) }),
    last_30_days: {
      ...totals,
      ...(stored?.price != null &&
        currency !== undefined && { cost: rounded(Number(stored.price) * totals.segments * minorUnitsIn(currency)) }),
    },
    ...(test && { last_test: { status: test.status, ...(test.problem !== null && { problem: test.problem }) } }),
  }
}

function withoutSecret({ secret: _, topics, quiet_from, quiet_until, price, ...provider }: StoredTextProvider) {
  return {
    ...provider,
    topics: TEXT_TOPICS.filter((topic) => topics.includes(topic)),
    ...(quiet_from !== null && { quiet_from }),
    ...(quiet_until !== null && { quiet_until }),
    ...(price !== null && { price }),
  }
}

/** Returns the name of a provider for the audit log, which never contains the account or the secret. */
export const nameOf = ({ adapter, url }: Pick<StoredTextProvider, 'adapter' | 'url'>): string =>
  `${adapter} ${new URL(url).host}`
