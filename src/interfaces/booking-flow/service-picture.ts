import { type Content, html } from '../../infra/util/html-template.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import { pictureAddress } from '../assets/demo-pictures.ts'

export const pictureOf = ({ media = [] }: Pick<ServiceDefinition, 'media'>) =>
  media.find(({ type, url }) => type === 'image' && url.startsWith('https:'))

/**
 * The picture of a service. Behind the picture is the first letter of the service's name. The visitor sees this letter
 * if the picture is missing or fails to load.
 */
export function picture(service: Pick<ServiceDefinition, 'media'>, name: string, alt = ''): Content {
  const found = pictureOf(service)
  return html`<div class="picture"><span aria-hidden="true">${[...name][0]}</span>${
    found && html`<img src="${pictureAddress(found.url)}" alt="${alt}" loading="lazy">`
  }</div>`
}
