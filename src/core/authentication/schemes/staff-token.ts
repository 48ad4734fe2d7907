import { ProtocolError } from '../../../protocol/errors.ts'
import { type Attempt, authorizationHeader, type Proven } from '../authentication-policy.ts'
import { staffOfToken } from '../staff-members.ts'

/** Authenticates a staff member by their personal token. The token gives access only to staff operations. */
export async function staffToken({ call, dependencies }: Attempt): Promise<Proven | undefined> {
  const header = authorizationHeader(call)
  if (header?.scheme !== 'bearer') return undefined
  const person = await staffOfToken(dependencies.db, header.value)
  if (!person) throw new ProtocolError('authentication_required', 'The staff token is unknown.')
  return { principal: `staff:${person.id}`, role: person.role }
}
