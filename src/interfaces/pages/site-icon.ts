import { accentOf, DEFAULT_ACCENT } from '../../infra/util/accent-color.ts'
import { html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export const ICON_PATH = '/favicon.svg'
/** The paths of the site icon. Browsers request `/favicon.ico` for pages without a link to an icon. */
export const ICON_PATHS = ['/favicon.ico', ICON_PATH] as const

export const ICON_LINK = html`<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">`

export function iconOf(definition: BusinessDefinition | undefined): string {
  const { light } = accentOf(definition?.website?.accent ?? DEFAULT_ACCENT)
  const [letter = ''] = (definition?.business.name ?? '').match(/\p{L}|\p{N}/u) ?? []
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light.accent}"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="600" text-anchor="middle" fill="${light.on}">${letter.toUpperCase()}</text></svg>`
    .text
}
