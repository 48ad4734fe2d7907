import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { type Content, html } from './html.ts'

export const isWeb = (url: string | undefined): url is string => url !== undefined && /^https?:/i.test(url)

/** How the business can be reached, each a link that does it; nothing where it does not say. */
export function contactLinks(definition: BusinessDefinition | undefined): Content[] {
  const { phone, email, address } = definition?.website?.contact ?? {}
  const { url, name } = definition?.business ?? {}
  return [
    phone !== undefined && html`<a href="tel:${phone}" dir="ltr">${spaced(phone)}</a>`,
    email !== undefined && html`<a href="mailto:${email}">${email}</a>`,
    address !== undefined && html`<span>${address}</span>`,
    isWeb(url) && html`<a href="${url}" rel="noreferrer">${name}</a>`,
  ].filter((one) => one !== false)
}

export function contactList(definition: BusinessDefinition | undefined, title: string): Content {
  const links = contactLinks(definition)
  if (links.length === 0) return undefined
  return html`<nav class="contact" aria-label="${title}"><ul>${links.map((link) => html`<li>${link}</li>`)}</ul></nav>`
}

/** A number in groups, as it is easier to read. */
const spaced = (phone: string) => phone.replace(/^(\+\d{1,3})(\d{3})(\d{3})(\d{2,})$/, '$1 $2 $3 $4')
