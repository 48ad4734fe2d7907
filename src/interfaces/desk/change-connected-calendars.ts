import { setTimeout as sleep } from 'node:timers/promises'
import { connectCalendar } from '../../domain/busy-times/connect-calendar.ts'
import { disconnectCalendar } from '../../domain/busy-times/disconnect-calendar.ts'
import { listConnectedCalendars } from '../../domain/busy-times/list-connected-calendars.ts'
import { refreshConnectedCalendar } from '../../domain/busy-times/refresh-connected-calendar.ts'
import { ignoreNotFound } from '../../pipeline/call-operation-from-page.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import { failedGrantPage, openGrant } from './connect-provider-calendar.ts'
import { CALENDARS_PATH, type ConnectedCalendar, connectedCalendarsPage } from './connected-calendars-page.ts'
import type { Answer } from './desk-page.ts'

/** Runs the action of the pressed button on the page about calendars of other providers. */
export async function changeConnectedCalendars(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const actions: Record<string, { operation: Operation; run(): Promise<Answer> }> = {
    connect: { operation: connectCalendar, run: () => connect(form, deskRequest, dependencies) },
    account: { operation: connectCalendar, run: () => connectAccount(form, deskRequest, dependencies) },
    refresh: { operation: refreshConnectedCalendar, run: () => refresh(form, deskRequest, dependencies) },
    disconnect: {
      operation: disconnectCalendar,
      async run() {
        const input = { source_id: form.get('source') || '-' }
        await callAsStaff(disconnectCalendar, input, deskRequest, dependencies).catch(ignoreNotFound)
        return { to: CALENDARS_PATH }
      },
    },
  }
  const name = form.get('do') ?? ''
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action || !isAllowed(deskRequest.who, action.operation)) return missingRolePage(action?.operation, deskRequest)
  return action.run()
}

async function connect(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const [name = '', user = ''] = ['name', 'user'].map((field) => form.get(field)?.trim())
  const chosen = (form.get('calendars') ?? '').split(',').flatMap((one) => one.trim() || [])
  const calendar = form.get('write')?.trim() ?? ''
  const account = {
    user,
    password: form.get('password') ?? '',
    ...(chosen.length > 0 && { calendars: chosen }),
    ...(calendar !== '' && { write_to: calendar, write_names: form.has('names') }),
  }
  const input = {
    resource_id: form.get('resource') || '-',
    address: form.get('address')?.trim() ?? '',
    ...(user !== '' && { caldav: account }),
    ...(name !== '' && { name }),
  }
  const answer = await callAsStaff(connectCalendar, input, deskRequest, dependencies)
  if (!answer.refusal) return toReadCalendar(answer.result.source, deskRequest, dependencies)
  const { code, path } = answer.refusal
  const refused =
    path === '$.address'
      ? { form, addressFault: localizer.say('desk.calendars.fault') }
      : { form, problem: refusalText(code, localizer) }
  return connectedCalendarsPage(new URLSearchParams(), deskRequest, dependencies, refused)
}

/** Connects the account at a provider that granted access before, with the chosen calendars. */
async function connectAccount(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const grant = openGrant(form.get('grant') ?? '', deskRequest.who, dependencies)
  const refusedPage = (problem: string) =>
    connectedCalendarsPage(new URLSearchParams(), deskRequest, dependencies, { form: new URLSearchParams(), problem })
  const { localizer } = deskRequest.request
  if (!grant) return refusedPage(localizer.say('desk.calendars.late'))
  const [name, chosen] = [form.get('name')?.trim() ?? '', form.getAll('calendar')]
  const { provider, token: refresh_token } = grant
  const input = {
    resource_id: form.get('resource') || '-',
    account: { provider, refresh_token, ...(chosen.length > 0 && { calendars: chosen }) },
    ...(name !== '' && { name }),
  }
  const answer = await callAsStaff(connectCalendar, input, deskRequest, dependencies)
  if (!answer.refusal) return toReadCalendar(answer.result.source, deskRequest, dependencies)
  const { code, path } = answer.refusal
  return path === '$.account.refresh_token'
    ? failedGrantPage(provider, 'access_revoked', deskRequest, dependencies)
    : refusedPage(refusalText(code, localizer))
}

async function refresh(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const input = { source_id: form.get('source') || '-' }
  const answer = await callAsStaff(refreshConnectedCalendar, input, deskRequest, dependencies).catch(ignoreNotFound)
  if (!answer || answer.refusal) return { to: CALENDARS_PATH }
  return toReadCalendar(answer.result.source, deskRequest, dependencies)
}

const POLL_MS = 500
/** The maximum number of times that the server looks for the result of a read before it shows the page without it. */
const MAX_POLLS = 12

/** Waits for a short time until the calendar is read, so that the page can show the result. */
async function toReadCalendar(
  { id, resource_id, next_read_at }: ConnectedCalendar,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<{ to: string }> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const answer = await callAsStaff(listConnectedCalendars, { resource_id }, deskRequest, dependencies)
    const source = answer.refusal ? undefined : answer.result.sources.find((one) => one.id === id)
    if (source?.next_read_at !== next_read_at) break
    await sleep(POLL_MS)
  }
  return { to: `${CALENDARS_PATH}#${id}` }
}
