import type { WriteNotification } from '../../core/mails/notification-text.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { SIGN_IN_LINK_MINUTES, signInUrl } from './sign-in-links.ts'

export const SIGN_IN_MAIL = 'sign_in'

interface OwnDependencies {
  config: Pick<Config, 'baseUrl'>
  tag: Tag
}

/**
 * Writes the text of the mail with a sign-in link. The database stores only the id of the link. Therefore the server
 * computes the secret part of the link here.
 */
export const signInMailWriter =
  ({ config, tag }: OwnDependencies): WriteNotification =>
  ({ kind, snapshot }, { say }, { business }) => {
    if (kind !== SIGN_IN_MAIL) throw new Error(`There is no letter ${kind} about an account`)
    const { link, back } = asRecord(snapshot)
    const [id, wanted] = [String(link), back === undefined ? undefined : String(back)]
    const values = { business: business.name, minutes: SIGN_IN_LINK_MINUTES }
    return {
      subject: say('letter.sign_in.subject', values),
      heading: say('letter.sign_in.heading', values),
      paragraphs: [
        say(wanted === undefined ? 'letter.sign_in.text' : 'letter.sign_in.account', values),
        say('letter.sign_in.not_you'),
      ],
      actions: [{ label: say('letter.sign_in.action'), url: signInUrl(config.baseUrl, tag, { id, back: wanted }) }],
    }
  }
