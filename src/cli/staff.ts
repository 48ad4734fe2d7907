import { parseArgs } from 'node:util'
import { addStaff, findStaff, listStaff, revokeStaff } from '../authentication/staff.ts'
import { STAFF_LINK_MINUTES, staffLinkMake } from '../authentication/staff-links.ts'
import { PlainError } from '../basics/plain-error.ts'
import { type Role, roles } from '../protocol/caller.ts'
import { type Connected, connect } from './open.ts'
import { table } from './table.ts'

const USAGE = `Usage: npm run usp -- staff add NAME [--role ${roles.join('|')}] | link NAME | list | revoke ID`

export async function run(args: string[]) {
  const { values, positionals } = parsed(args)
  const [action, name = ''] = positionals
  const role = roles.find((one) => one === (values.role ?? 'staff'))
  if (!role || !['add', 'link', 'list', 'revoke'].includes(action ?? '') || (action !== 'list' && !name))
    throw new PlainError(USAGE)
  const { db, clock, config, close } = await connect()
  try {
    if (action === 'add') console.log(added(await addStaff(db, name, role, clock()), name, role))
    else if (action === 'link') console.log(await linkFor(name, { db, clock, config }))
    else if (action === 'list') console.log(table(await listStaff(db)))
    else if (await revokeStaff(db, name)) console.log(`${name} can no longer sign in.`)
    else throw new PlainError(`There is nobody with the id ${name}. See: npm run usp -- staff list`)
  } finally {
    await close()
  }
}

/** The way in when all else is lost. */
async function linkFor(idOrName: string, { db, clock, config }: Pick<Connected, 'db' | 'clock' | 'config'>) {
  const [person, ...others] = await findStaff(db, idOrName)
  if (!person) throw new PlainError(`There is nobody called ${idOrName}. See: npm run usp -- staff list`)
  if (others.length > 0)
    throw new PlainError(`Several people are called ${idOrName}. Say which by the id: npm run usp -- staff list`)
  const url = await staffLinkMake(db, config.baseUrl, person.id, clock())
  return `Opens the desk as ${person.name} (${person.role}), once, within ${STAFF_LINK_MINUTES} minutes:\n\n  ${url}`
}

const added = (token: string, name: string, role: Role) =>
  `${name} is ${role}. The token, shown this once:\n\n  ${token}\n\nSend it as: Authorization: Bearer TOKEN`

function parsed(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { role: { type: 'string' } } })
  } catch {
    throw new PlainError(USAGE)
  }
}
