import { zoneOf } from '../../core/business/definition-facts.ts'
import { CALENDAR_PROVIDERS } from '../../infra/config/calendar-providers.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { invalidInput } from '../../protocol/errors.ts'
import type { ConnectCalendar } from '../../protocol/types.generated.ts'
import { checkAddress, connectSource } from './connect-source.ts'
import { MAX_TOKEN_CHARACTERS } from './oauth/provider-access.ts'
import { MAX_ID_CHARACTERS, type ProviderAccount } from './oauth/provider-account.ts'
import { verifyProviderAccess } from './oauth/verify-provider-access.ts'
import {
  LONGEST_ADDRESS,
  LONGEST_NAME,
  LONGEST_PASSWORD,
  LONGEST_USER,
  MOST_CALENDARS,
  onSources,
  sourceOutput,
  toSource,
} from './source-schema.ts'

export const connectCalendar = defineOperation<
  ConnectCalendar & { prepared: ProviderAccount | undefined; needs: Dependencies<'calendarKey'> }
>({
  ...onSources,
  id: 'connectCalendar',
  rest: 'POST /business/connected_calendars',
  tool: 'usp_business_connected_calendars_connect',
  title: 'Connect a calendar elsewhere',
  description:
    'Connects a calendar at another provider, whose events block time here; their texts are not stored. Connecting ' +
    'an account again replaces its settings.',
  role: 'manager',
  effect: 'create',
  hasSecretInput: true,
  input: {
    type: 'object',
    required: ['resource_id'],
    properties: {
      resource_id: { type: 'string', minLength: 1, description: 'Whose time it blocks.' },
      address: {
        type: 'string',
        minLength: 1,
        maxLength: LONGEST_ADDRESS,
        description: 'The secret ICS address (https or webcal); with `caldav`, that of the server.',
      },
      caldav: {
        type: 'object',
        required: ['user', 'password'],
        description: 'For an account at a CalDAV server.',
        properties: {
          user: {
            type: 'string',
            minLength: 1,
            maxLength: LONGEST_USER,
            description: 'Its user name.',
          },
          password: { type: 'string', minLength: 1, maxLength: LONGEST_PASSWORD, description: 'Its password.' },
          calendars: {
            type: 'array',
            minItems: 1,
            maxItems: MOST_CALENDARS,
            items: { type: 'string', minLength: 1, maxLength: LONGEST_NAME },
            description: 'Names of the calendars that block time; all when left out.',
          },
          write_to: {
            type: 'string',
            minLength: 1,
            maxLength: LONGEST_NAME,
            description: 'The calendar that gets the bookings.',
          },
          write_names: { type: 'boolean', description: 'With names of customers.' },
        },
      },
      account: {
        type: 'object',
        required: ['provider', 'refresh_token'],
        description: 'Instead of `address`: an account that granted access to your app.',
        properties: {
          provider: { enum: CALENDAR_PROVIDERS, description: 'Where.' },
          refresh_token: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_CHARACTERS, description: 'Its token.' },
          calendars: {
            type: 'array',
            minItems: 1,
            maxItems: MOST_CALENDARS,
            items: { type: 'string', minLength: 1, maxLength: MAX_ID_CHARACTERS },
            description: 'Ids of those that block time; all when left out.',
          },
        },
      },
      name: { type: 'string', minLength: 1, maxLength: LONGEST_NAME, description: 'Its name; the host when left out.' },
    },
  },
  output: sourceOutput,
  summary: ({ source: { id, host } }) => `The calendar ${id} at ${host} is connected. It is being read.`,
  async prepare(context) {
    const { address, account } = context.input
    if (account && address === undefined) return verifyProviderAccess(account, context)
    await checkAddress(accessOf(context.input).address, context.config)
    return undefined
  },
  async handle(context, account) {
    const { input, caller, db, now, business, config, calendarKey } = context
    const { resource_id, name } = input
    const { resources = [] } = (await business.get()) ?? {}
    if (!resources.some(({ id }) => id === resource_id))
      throw invalidInput(`There is no resource with the id ${resource_id}.`, '$.resource_id')
    const access = account ? { account } : accessOf(input)
    const source = { resource: resource_id, access, name, actor: caller.principal }
    const row = await connectSource(db, source, { config, key: calendarKey }, now)
    return { source: toSource(row, await zoneOf(context)) }
  },
})

function accessOf({ address, caldav, account }: ConnectCalendar['input']) {
  if (address === undefined || account) throw invalidInput('Enter either an address or an account.', '$.address')
  return { address, caldav }
}
