import { parseArgs } from 'node:util'
import { addStaff, listStaff, revokeStaff } from '../authentication/staff.ts'
import { PlainError } from '../basics/plain-error.ts'
import { type Role, roles } from '../protocol/caller.ts'
import { connect } from './open.ts'
import { table } from './table.ts'

const USAGE = `Usage: npm run usp -- staff add NAME [--role ${roles.join('|')}] | list | revoke ID`

export async function run(args: string[]) {
  const { values, positionals } = parsed(args)
  const [action, name = ''] = positionals
  const role = roles.find((one) => one === (values.role ?? 'staff'))
  if (!role || !['add', 'list', 'revoke'].includes(action ?? '') || (action !== 'list' && !name))
    throw new PlainError(USAGE)
  const { db, clock, close } = await connect()
  try {
    if (action === 'add') console.log(added(await addStaff(db, name, role, clock()), name, role))
    else if (action === 'list') console.log(table(await listStaff(db)))
    else if (await revokeStaff(db, name)) console.log(`${name} can no longer sign in.`)
    else throw new PlainError(`There is nobody with the id ${name}. See: npm run usp -- staff list`)
  } finally {
    await close()
  }
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
