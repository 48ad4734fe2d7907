import {
  staffLinkInsert,
  staffLinksEnd,
  staffLinksOpen,
  staffLinkUrl,
} from '../../../core/authentication/desk-sign-in-links.ts'
import { type StaffMember, staffOfEmail, staffUpdate } from '../../../core/authentication/staff-members.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../../infra/util/email-address.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { MOST_LINKS_OPEN, mailSignInLink, type SignInLinkRequest } from '../../accounts/mail-sign-in-link.ts'
import { SIGN_IN_LINK_MINUTES } from '../../accounts/sign-in-links.ts'
import { DESK_LINK, INVITATION, INVITATION_DAYS } from './staff-notification.ts'

export interface CreatedLink {
  member: StaffMember
  url: string
  isMailed: boolean
}

/**
 * Creates a desk link, which signs a staff member in once, and mails the link if the staff member has an email address.
 * Earlier desk links of this staff member become invalid.
 */
export async function createDeskLink(
  tx: UnitOfWork,
  before: StaffMember,
  { tag, config }: Dependencies<'tag' | 'config'>,
  now: Date,
): Promise<CreatedLink> {
  const member = { ...before, invited_at: now }
  await staffUpdate(tx, member)
  await staffLinksEnd(tx, member.id)
  const id = newId('dln')
  staffLinkInsert(tx, tag, { id, staffId: member.id, minutes: INVITATION_DAYS * 24 * 60 }, now)
  const { email, name } = member
  const isMailed =
    email !== null &&
    !isUndeliverable(email) &&
    tx.queueMail(
      { kind: INVITATION, subject: `staff ${id}`, to: { email }, onlyChannel: 'mail', snapshot: { link: id, name } },
      now,
    )
  return { member, url: staffLinkUrl(config.baseUrl, tag, id), isMailed }
}

export const mailDeskLink = (
  request: SignInLinkRequest,
  dependencies: Dependencies<'makeChange' | 'clock' | 'tag'>,
): Promise<void> =>
  mailSignInLink(request, dependencies, async (tx, now) => {
    const member = await staffOfEmail(tx, request.email)
    if (!member || (await staffLinksOpen(tx, member.id, now)) >= MOST_LINKS_OPEN) return undefined
    const id = newId('dln')
    staffLinkInsert(tx, dependencies.tag, { id, staffId: member.id, minutes: SIGN_IN_LINK_MINUTES }, now)
    return { kind: DESK_LINK, subject: `staff ${id}`, snapshot: { link: id } }
  })
