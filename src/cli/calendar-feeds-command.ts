import { businessDefinition } from '../core/business/definition-queries.ts'
import { createFeed, feedUrl, revokeFeed } from '../domain/calendar/manage-calendar-feeds.ts'
import { type FeedRow, feedList } from '../domain/calendar/queries.ts'
import { runUnitOfWork } from '../infra/db/run-unit-of-work.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { table } from './format-table.ts'
import { type Connected, connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} calendars add [--resource ID] | list | revoke ID`

const OPERATOR = { actor: 'operator', staff: null }

export async function run(args: string[]) {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { resource: { type: 'string' } } },
    USAGE,
  )
  const [action = '', id = '', ...more] = positionals
  if (!['add', 'list', 'revoke'].includes(action) || more.length > 0 || (action === 'revoke') === (id === ''))
    throw new PlainError(USAGE)
  const connected = await connect()
  try {
    if (action === 'add') console.log(await added(connected, values.resource))
    if (action === 'list') console.log(table((await feedList(connected.db)).map(listed)))
    if (action === 'revoke') console.log(await revoked(connected, id))
  } finally {
    await connected.close()
  }
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
