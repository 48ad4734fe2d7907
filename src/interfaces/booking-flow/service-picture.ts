import { type Content, html } from '../../infra/util/html-template.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import { pictureAddress } from '../assets/demo-pictures.ts'

export const pictureOf = ({ media = [] }: Pick<ServiceDefinition, 'media'>) =>
  media.find(({ type, url }) => type === 'image' && url.startsWith('https:'))

export function picture(service: Pick<ServiceDefinition, 'media'>, alt = ''): Content {
  const found = pictureOf(service)
  return found && html`<div class="picture"><img src="${pictureAddress(found.url)}" alt="${alt}" loading="lazy"></div>`
}
