import { type Content, html } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import { canMail } from '../../mails/channels.ts'
import type { Means } from '../../protocol/means.ts'

/** Beside a password: the way in for whoever forgot it or wants none, and back to this page. */
export const linkInstead = (page: string, { say }: Speech, { config }: Means<'config'>): Content =>
  canMail(config) &&
  html`<p><a class="button plain" href="/my?${String(new URLSearchParams({ back: page }))}">${say('my.link_instead')}</a></p>`
