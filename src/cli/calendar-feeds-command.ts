import { businessDefinition } from '../core/business/definition-queries.ts'
import { createFeed, feedUrl, revokeFeed } from '../domain/calendar/manage-calendar-feeds.ts'
import { type FeedRow, feedList } from '../domain/calendar/queries.ts'
import { runUnitOfWork } from '../infra/db/run-unit-of-work.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { CONNECTED_USAGE, connectedActions, connectedCalendars } from './connected-calendars-command.ts'
import { table } from './format-table.ts'
import { type Connected, connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} calendars add [--resource ID] | list | revoke ID
${CONNECTED_USAGE}`

const OPERATOR = { actor: 'operator', staff: null }

const text = { type: 'string' } as const

export async function run(args: string[]) {
  const { values, positionals } = parseArguments(
    {
      args,
      allowPositionals: true,
      options: {
        ...{ resource: text, ics: text, caldav: text, user: text, calendars: text, name: text },
        ...{ 'write-to': text, 'write-names': { type: 'boolean' } },
        ...{ google: { type: 'boolean' }, microsoft: { type: 'boolean' } },
      },
    },
    USAGE,
  )
  const [action = '', id = '', ...more] = positionals
  const connectedAction = Object.hasOwn(connectedActions, action) ? connectedActions[action] : undefined
  if (connectedAction) {
    const command = more.length === 0 ? connectedAction({ id, ...values }) : undefined
    if (!command) throw new PlainError(USAGE)
    return command()
  }
  const { resource: _, ...others } = values
  const isRight = Object.values(others).every((value) => value === undefined) && more.length === 0
  if (!['add', 'list', 'revoke'].includes(action) || !isRight || (action === 'revoke') === (id === ''))
    throw new PlainError(USAGE)
  const connected = await connect()
  try {
    if (action === 'add') console.log(await added(connected, values.resource))
    if (action === 'list') console.log(await all(connected))
    if (action === 'revoke') console.log(await revoked(connected, id))
  } finally {
    await connected.close()
  }
}

/** Lists the calendar feeds of this server, and then the connected calendars of other providers. */
async function all({ db, clock }: Connected): Promise<string> {
  const feeds = (await feedList(db)).map(listed)
  const others = await connectedCalendars(db, clock())
  const parts = [...(feeds.length > 0 || others === undefined ? [table(feeds)] : []), others]
  return parts.filter((part) => part !== undefined).join('\n\n')
}
const listed = ({ id, resource_id, staff_id, created_at }: FeedRow) => ({
  id,
  of: resource_id ?? 'the business',
  made_by: staff_id ?? OPERATOR.actor,
  created_at,
})

async function added({ db, config, clock }: Connected, resource: string | undefined): Promise<string> {
  const { resources = [] } = (await businessDefinition(db)) ?? {}
  const calendarOwner = resource === undefined ? { name: 'The business' } : resources.find((one) => one.id === resource)
  if (!calendarOwner)
    throw new PlainError(`There is no resource ${resource}. There are: ${resources.map((one) => one.id).join(', ')}.`)
  const { feed, token } = await runUnitOfWork(db, (tx) => createFeed(tx, resource ?? null, OPERATOR, clock()))
  return `${calendarOwner.name} has the calendar ${feed.id}. Its address, shown this once:

  ${feedUrl(config.baseUrl, token)}

All who know it see who comes and when. Enter it only in calendar programs of the staff.`
}

async function revoked({ db, clock }: Connected, id: string): Promise<string> {
  const feed = await runUnitOfWork(db, (tx) => revokeFeed(tx, id, OPERATOR, clock()))
  if (!feed) throw new PlainError(`There is no calendar ${id}. See: ${USP} calendars list`)
  return `The address of ${id} no longer works.`
}
