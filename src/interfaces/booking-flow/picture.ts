import { type Content, html } from '../../infra/util/html.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'

export const pictureOf = ({ media = [] }: Pick<ServiceDefinition, 'media'>) =>
  media.find(({ type, url }) => type === 'image' && url.startsWith('https:'))

/** The picture of a service upon its first letter, which stays where there is no picture, or none can be had. */
export function picture(service: Pick<ServiceDefinition, 'media'>, name: string, alt = ''): Content {
  const found = pictureOf(service)
  return html`<div class="picture"><span aria-hidden="true">${[...name][0]}</span>${
    found && html`<img src="${found.url}" alt="${alt}" loading="lazy">`
  }</div>`
}
