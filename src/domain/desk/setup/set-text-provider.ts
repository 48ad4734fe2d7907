import { isSupportedCountry } from 'libphonenumber-js'
import {
  storedTextProvider,
  textProviderLock,
  textProviderReplace,
} from '../../../core/business/text-provider-queries.ts'
import { checkedTarget, EgressError } from '../../../core/egress/call-external-url.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { textAdapters } from '../../../core/texts/text-adapters.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { SetTextProvider } from '../../../protocol/types.generated.ts'
import { secretToStore } from './secret-to-store.ts'
import {
  describeTextProvider,
  nameOf,
  onTextProvider,
  textProviderInput,
  textProviderOutput,
} from './text-provider-schema.ts'

type Input = SetTextProvider['input']

export const setTextProvider = defineOperation<
  SetTextProvider & { needs: Dependencies<'textProviderKey'>; prepared: string }
>({
  ...onTextProvider,
  id: 'setTextProvider',
  rest: 'PUT /business/text_provider',
  tool: 'usp_business_text_provider_set',
  title: 'Set the provider of text messages',
  description:
    'Stores the provider of text messages to buyers who agreed to them. The secret is encrypted and never shown. Send a ' +
    'test message afterwards.',
  effect: 'update',
  hasSecretInput: true,
  input: {
    type: 'object',
    required: ['adapter', 'sender', 'countries', 'topics', 'daily_limit'],
    properties: textProviderInput,
  },
  output: textProviderOutput,
  summary: ({ text_provider: provider }) => `Text messages go out through ${provider?.adapter}.`,
  prepare: ({ input, config }) => checkedUrlOf(input, config),
  async handle(context, url) {
    const { input, db, caller, now, textProviderKey } = context
    const { adapter, sender, countries, topics, daily_limit, account = '', price = null } = input
    const { quiet_from = null, quiet_until = null } = input
    refuseInvalid(input)
    await textProviderLock(db)
    const before = await storedTextProvider(db)
    const place = { adapter, url, account: account.trim() }
    const isSame = before?.adapter === adapter && before.url === url && before.account === place.account
    const secret = secretToStore(input.secret, {
      stored: isSame ? before.secret : undefined,
      key: textProviderKey,
      refusal: () => invalidInput('Enter the secret: none is stored for this provider, URL and account.', '$.secret'),
    })
    const rules = { countries, topics, quiet_from, quiet_until, daily_limit, price }
    await textProviderReplace(db, { ...place, sender: sender.trim(), secret, ...rules })
    const detail = { before: before ? nameOf(before) : null, now: nameOf(place) }
    const entry = { actor: caller.principal, action: 'set_text_provider', subject: 'business', from: null, to: null }
    insertAuditEntry(db, { ...entry, detail }, now)
    return describeTextProvider(context)
  },
  afterwards: ({ business, db }) => business.seenBy(db),
})

/** Returns the URL of the provider. Refuses a URL that is not on the public internet, or not of this provider. */
async function checkedUrlOf({ adapter, url }: Input, config: Config): Promise<string> {
  const { usualUrl, host } = textAdapters[adapter]
  const address = url?.trim() ?? usualUrl
  if (address === undefined) throw invalidInput('Enter the https URL of your program.', '$.url')
  try {
    const target = await checkedTarget(address, config)
    if (host && config.mode === 'production' && !host.test(target.url.hostname))
      throw invalidInput('Leave the URL out, or enter an address of this provider.', '$.url')
    return address
  } catch (error) {
    throw error instanceof EgressError ? invalidInput(`The URL ${error.message}.`, '$.url') : error
  }
}

function refuseInvalid({ adapter, account = '', sender, countries, quiet_from, quiet_until }: Input): void {
  const rules = textAdapters[adapter]
  if (rules.account && !rules.account.pattern.test(account.trim())) throw invalidInput(rules.account.rule, '$.account')
  if (rules.sender && !rules.sender.pattern.test(sender.trim())) throw invalidInput(rules.sender.rule, '$.sender')
  const unknown = countries.find((country) => !isSupportedCountry(country))
  if (unknown !== undefined) throw invalidInput(`${unknown} is not the code of a country.`, '$.countries')
  if ((quiet_from === undefined) !== (quiet_until === undefined))
    throw invalidInput('Enter both times of the quiet hours, or neither.', '$.quiet_until')
}
