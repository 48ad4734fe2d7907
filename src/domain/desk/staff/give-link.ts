import { type Member, staffUpdate } from '../../../core/authentication/staff.ts'
import { staffLinkEnter, staffLinksEnd, staffLinkUrl } from '../../../core/authentication/staff-links.ts'
import type { Change } from '../../../infra/db/change.ts'
import { leadsNowhere } from '../../../infra/util/email-address.ts'
import { newId } from '../../../infra/util/new-id.ts'
import type { Means } from '../../../protocol/means.ts'
import { INVITATION, INVITATION_DAYS } from './staff-letter.ts'

export interface GivenLink {
  member: Member
  url: string
  isMailed: boolean
}

/** Creates a desk link for a staff member, and mails it if possible. Earlier links end. */
export async function giveLink(
  tx: Change,
  before: Member,
  { tag, config }: Means<'tag' | 'config'>,
  now: Date,
): Promise<GivenLink> {
  const member = { ...before, invited_at: now }
  await staffUpdate(tx, member)
  await staffLinksEnd(tx, member.id)
  const id = newId('dln')
  staffLinkEnter(tx, tag, { id, staffId: member.id, minutes: INVITATION_DAYS * 24 * 60 }, now)
  const { email, name } = member
  const isMailed =
    email !== null &&
    !leadsNowhere(email) &&
    tx.mail({ kind: INVITATION, subject: `staff ${id}`, to: { email }, by: 'mail', snapshot: { link: id, name } }, now)
  return { member, url: staffLinkUrl(config.baseUrl, tag, id), isMailed }
}
