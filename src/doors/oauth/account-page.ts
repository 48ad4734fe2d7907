import type { LinkedPlatform } from '../../tokens/linked-platforms.ts'
import { scopes } from '../../tokens/scopes.ts'
import { formatDate } from '../pages/format.ts'
import { html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'

/** Where a buyer sees which platforms act for them, and ends that. */
export const accountView = (buyer: string, links: readonly LinkedPlatform[], zone: string): View => ({
  status: 200,
  title: 'Your account',
  body: html`<p>You are signed in as ${buyer}.</p>
${links.length === 0 ? html`<p class="note">No app may act for you here.</p>` : html`<p>These apps may act for you here:</p>`}
${links.map(
  ({ client, name, since, scopes: granted }) => html`<h2>${name}</h2>
<p class="soft">Since ${formatDate(since, zone)}</p>
<ul>
${granted.map((scope) => html`<li>${scopes[scope]}</li>`)}
</ul>
<form method="post">
<input type="hidden" name="client" value="${client}">
<button name="do" value="unlink" class="danger">End this for ${name}</button>
</form>`,
)}
<form method="post"><button name="do" value="leave">Sign out</button></form>`,
})
