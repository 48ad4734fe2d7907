import type { StaffMember } from '../../../core/authentication/staff-members.ts'
import { zoneOf } from '../../../core/business/definition-facts.ts'
import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { oneLine } from '../../../infra/util/plain-text.ts'
import { roles } from '../../../protocol/caller-types.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import { invalidInput } from '../../../protocol/errors.ts'
import type { Schema } from '../../../protocol/json-schemas.ts'
import { atDesk, moment } from '../shared/operation-defaults.ts'

/**
 * Settings that all operations on staff members share. In addition, each operation checks which staff members the
 * caller may manage.
 */
export const onStaff = { ...atDesk, role: 'manager' } as const

export const LONGEST_NAME = 100

export const staffId = { type: 'string', minLength: 1, description: 'Id of the staff member.' }
export const role = (description: string) => ({ enum: roles, description })
export const name = { type: 'string', minLength: 1, maxLength: LONGEST_NAME, description: 'Name of the staff member.' }
const EMAIL = 'Address to which desk links are mailed; each member has another one'
export const email = { type: 'string', format: 'email', maxLength: 254, description: `${EMAIL}.` }
export const emailOrNull = { ...email, type: ['string', 'null'], description: `${EMAIL}; null: none.` }

/** Returns the name of a staff member as one line of text. Refuses a name that has no visible characters. */
export function visibleName(text: string): string {
  const name = oneLine(text)
  if (name === '') throw invalidInput('The name has no visible character.', '$.name')
  return name
}

export async function toStaff(
  { id, name, role, email, created_at, invited_at }: StaffMember,
  dependencies: Pick<Context, 'business'>,
) {
  const zone = await zoneOf(dependencies)
  return {
    id,
    name,
    role,
    created_at: rfc3339Exact(zone, created_at),
    ...(email !== null && { email }),
    ...(invited_at && { invited_at: rfc3339Exact(zone, invited_at) }),
  }
}

export const staffShape: Schema = {
  type: 'object',
  required: ['id', 'name', 'role', 'created_at'],
  properties: {
    id: { type: 'string', description: 'Id of the staff member.' },
    name: { type: 'string', description: 'Name of the staff member.' },
    role: role(
      'The role. owner: everything; manager: also money, settings and staff; staff: the daily work; viewer: ' +
        'read only.',
    ),
    email: { type: 'string', description: 'Address to which desk links are mailed.' },
    created_at: moment('When they were added.'),
    invited_at: moment('When they last got a link.'),
  },
}

export const staffOutput = {
  type: 'object',
  required: ['staff'],
  properties: { staff: staffShape },
} as const

export const linkOutput = {
  type: 'object',
  required: ['staff', 'url', 'mailed'],
  properties: {
    staff: staffShape,
    url: { type: 'string', description: 'Opens the desk once as this staff member. It cannot be shown again.' },
    mailed: { type: 'boolean', description: 'Whether it is also being mailed to them.' },
  },
} as const
