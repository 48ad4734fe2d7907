import { type Content, html } from '../basics/html.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'

/** How the business is reached: each as text, and where it leads. */
interface Way {
  text: string
  href?: string
}

export function waysToReach({ business, website }: BusinessDefinition): Way[] {
  const { phone, email, address } = website?.contact ?? {}
  const { url } = business
  return [
    ...(phone === undefined ? [] : [{ text: phone, href: `tel:${phone}` }]),
    ...(email === undefined ? [] : [{ text: email, href: `mailto:${email}` }]),
    ...(address === undefined ? [] : [{ text: address }]),
    ...(url !== undefined && /^https?:/i.test(url) ? [{ text: url, href: url }] : []),
  ]
}

/** Of different directions on one line each would else take the other's signs to itself. */
export const waysAsMarkup = (definition: BusinessDefinition): Content[] =>
  waysToReach(definition).map(({ text, href }) =>
    href === undefined
      ? html`<bdi>${text}</bdi>`
      : html`<a href="${href}" class="soft" style="color:#5a5866"><bdi>${text}</bdi></a>`,
  )
