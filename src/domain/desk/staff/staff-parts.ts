import type { StaffMember } from '../../../core/authentication/staff.ts'
import { zoneOf } from '../../../core/business/zone-of.ts'
import { rfc3339Exact } from '../../../infra/time/zone.ts'
import { oneLine } from '../../../infra/util/plain-text.ts'
import { roles } from '../../../protocol/caller.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { Context } from '../../../protocol/operation.ts'
import type { Schema } from '../../../protocol/schemas.ts'
import { atDesk, moment } from '../shared/operation-parts.ts'

/** Common members of operations on the staff. Each operation checks which members a manager may manage. */
export const onStaff = { ...atDesk, role: 'manager' } as const

export const LONGEST_NAME = 100

export const staffId = { type: 'string', minLength: 1, description: 'Id of the member of the staff.' }
export const role = (description: string) => ({ enum: roles, description })
export const name = { type: 'string', minLength: 1, maxLength: LONGEST_NAME, description: 'What they are called.' }
const EMAIL = 'Where links to the desk are mailed to, nobody else’s'
export const email = { type: 'string', format: 'email', maxLength: 254, description: `${EMAIL}.` }
export const emailOrNull = { ...email, type: ['string', 'null'], description: `${EMAIL}; null: none.` }

/** Refuses a name without visible characters. */
export function visibleName(text: string): string {
  const name = oneLine(text)
  if (name === '') throw new BusinessRefusal('validation_error', 'A name has something to read in it.', '$.name')
  return name
}

export async function toStaff(
  { id, name, role, email, created_at, invited_at }: StaffMember,
  means: Pick<Context, 'business'>,
) {
  const zone = await zoneOf(means)
  return {
    ...{ id, name, role, created_at: rfc3339Exact(zone, created_at) },
    ...(email !== null && { email }),
    ...(invited_at && { invited_at: rfc3339Exact(zone, invited_at) }),
  }
}

export const staffShape: Schema = {
  type: 'object',
  required: ['id', 'name', 'role', 'created_at'],
  properties: {
    id: { type: 'string', description: 'Id of the member of the staff.' },
    name: { type: 'string', description: 'What they are called.' },
    role: role(
      'What they may: owner everything, manager also money, settings and staff, staff the daily work, viewer look.',
    ),
    email: { type: 'string', description: 'Where links to the desk are mailed to.' },
    created_at: moment('Since when they are let in.'),
    invited_at: moment('When they were last given a link.'),
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
    url: { type: 'string', description: 'Opens the desk as them, once. It cannot be asked for again.' },
    mailed: { type: 'boolean', description: 'Whether it is on its way to their address too.' },
  },
} as const
