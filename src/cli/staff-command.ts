import { STAFF_LINK_MINUTES, staffLinkMake } from '../core/authentication/desk-sign-in-links.ts'
import { findStaff, listStaff } from '../core/authentication/staff-members.ts'
import { newSecret } from '../core/keys/encrypt-secrets.ts'
import { addMember, removeMember, type StaffActor } from '../domain/desk/staff/manage-staff-members.ts'
import { runUnitOfWork } from '../infra/db/run-unit-of-work.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { type Role, roles } from '../protocol/caller-types.ts'
import { isRefusal, ProtocolError } from '../protocol/errors.ts'
import { table } from './format-table.ts'
import { type Connected, connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} staff add NAME [--role ${roles.join('|')}] | link NAME | list | revoke ID`

const OPERATOR: StaffActor = { actor: 'operator', staff: null }

export async function run(args: string[]) {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { role: { type: 'string' } } },
    USAGE,
  )
  const [action, name = ''] = positionals
  const role = roles.find((one) => one === (values.role ?? 'staff'))
  if (!role || !['add', 'link', 'list', 'revoke'].includes(action ?? '') || (action !== 'list' && !name))
    throw new PlainError(USAGE)
  const connected = await connect()
  try {
    if (action === 'add') console.log(await added(connected, name, role))
    else if (action === 'link') console.log(await linkFor(name, connected))
    else if (action === 'list') console.log(table(await listed(connected)))
    else console.log(await revoked(connected, name))
  } finally {
    await connected.close()
  }
}

/**
 * Creates a desk link, a URL that signs a staff member in at the staff pages once. With this link, the operator can
 * open these pages even if no other sign-in works.
 */
async function linkFor(idOrName: string, { db, clock, config }: Connected) {
  const [person, ...others] = await findStaff(db, idOrName)
  if (!person) throw new PlainError(`There is no staff member called ${idOrName}. See: ${USP} staff list`)
  if (others.length > 0)
    throw new PlainError(`Several staff members are called ${idOrName}. Use the id instead: ${USP} staff list`)
  const url = await staffLinkMake(db, config.baseUrl, person.id, clock())
  return `Opens the desk as ${person.name} (${person.role}), once, within ${STAFF_LINK_MINUTES} minutes:\n\n  ${url}`
}

async function added({ db, clock }: Connected, name: string, role: Role): Promise<string> {
  const token = newSecret('ust')
  await runUnitOfWork(db, (tx) => addMember(tx, { name, role, email: null }, { by: OPERATOR, token }, clock()))
  return `${name} is ${role}. The token, shown this once:\n\n  ${token}\n\nSend it as: Authorization: Bearer TOKEN\nFor a browser: ${USP} staff link NAME`
}

const listed = async ({ db }: Connected) =>
  (await listStaff(db)).map(({ id, name, role, email, created_at }) => ({
    id,
    name,
    role,
    email: email ?? '',
    created_at,
  }))

async function revoked({ db, clock }: Connected, id: string): Promise<string> {
  try {
    await runUnitOfWork(db, (tx) => removeMember(tx, id, OPERATOR, clock()))
    return `${id} can no longer sign in.`
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'not_found')
      throw new PlainError(`There is no staff member with the id ${id}. See: ${USP} staff list`)
    throw isRefusal(error) ? new PlainError(error.message) : error
  }
}
