import {
  calendarAppDelete,
  calendarAppReplace,
  calendarAppsLock,
  storedCalendarApps,
} from '../../../core/business/calendar-app-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { CALENDAR_PROVIDERS, returnUrl } from '../../../infra/config/calendar-providers.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { SetCalendarApp } from '../../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { MAX_CLIENT_CHARACTERS } from './company-sign-in-schema.ts'
import { secretToStore } from './secret-to-store.ts'

export const setCalendarApp = defineOperation<SetCalendarApp & { needs: Dependencies<'calendarKey'> }>({
  ...atDesk,
  role: 'owner',
  id: 'setCalendarApp',
  rest: 'PUT /business/calendar_apps',
  tool: 'usp_business_calendar_apps_set',
  title: 'Set the app for calendars',
  description: 'Stores the app of the business, with which staff connect calendars. Without a client id, removes it.',
  effect: 'update',
  hasSecretInput: true,
  input: {
    type: 'object',
    required: ['provider'],
    properties: {
      provider: { enum: CALENDAR_PROVIDERS, description: 'Where.' },
      client_id: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_CLIENT_CHARACTERS,
        description: 'Its client id.',
      },
      client_secret: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_CLIENT_CHARACTERS,
        description: 'Its secret; the stored one when left out.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['apps', 'redirect_uri'],
    properties: {
      apps: {
        type: 'array',
        items: {
          type: 'object',
          required: ['provider', 'client_id'],
          properties: {
            provider: { enum: CALENDAR_PROVIDERS, description: 'Where.' },
            client_id: { type: 'string', description: 'Its client id. The client secret is never shown.' },
          },
        },
        description: 'The stored apps.',
      },
      redirect_uri: { type: 'string', description: 'The redirect URI to enter at the provider.' },
    },
  },
  summary: ({ apps }) =>
    apps.length > 0
      ? `Staff can connect calendars at ${apps.map(({ provider }) => provider).join(', ')}.`
      : 'There is no app.',
  async handle({ input, db, caller, now, config, calendarKey }) {
    const { provider } = input
    const client_id = input.client_id?.trim()
    await calendarAppsLock(db)
    const before = (await storedCalendarApps(db)).find((app) => app.provider === provider)
    if (client_id === '') throw invalidInput('The client id has no visible character.', '$.client_id')
    if (client_id !== undefined) {
      const client_secret = secretToStore(input.client_secret?.trim() || undefined, {
        stored: before?.client_id === client_id ? before.client_secret : undefined,
        key: calendarKey,
        refusal: () => invalidInput('Enter the secret: none is stored for this client id.', '$.client_secret'),
      })
      await calendarAppReplace(db, { provider, client_id, client_secret })
    } else if (before) await calendarAppDelete(db, provider)
    if (client_id !== undefined || before) {
      const entry = { actor: caller.principal, subject: 'business', from: null, to: null, detail: { provider } }
      const action = client_id === undefined ? 'remove_calendar_app' : 'set_calendar_app'
      insertAuditEntry(db, { ...entry, action }, now)
    }
    const apps = (await storedCalendarApps(db)).map((app) => ({ provider: app.provider, client_id: app.client_id }))
    return { apps, redirect_uri: returnUrl(provider, config.baseUrl) }
  },
})
