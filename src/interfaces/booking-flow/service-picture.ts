import { smallPicturePath } from '../../domain/pictures/picture-addresses.ts'
import { PICTURE_FORMATS } from '../../domain/pictures/picture-formats.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import { pictureAddress } from '../assets/demo-pictures.ts'

export const pictureOf = ({ media = [] }: Pick<ServiceDefinition, 'media'>) =>
  media.find(({ type, url }) => type === 'image' && url.startsWith('https:'))

/** The width of a picture on the page: a card in the list of services, or the whole width of the page of a service. */
const SIZES = { card: '(min-width: 40rem) 20rem, 100vw', page: '(min-width: 64rem) 60rem, 100vw' } as const

export function picture(service: Pick<ServiceDefinition, 'media'>, place: keyof typeof SIZES, alt = ''): Content {
  const found = pictureOf(service)
  return (
    found &&
    html`<div class="picture"><img src="${pictureAddress(found.url)}"${widths(found.url, SIZES[place])} alt="${alt}" loading="lazy"></div>`
  )
}

/** Lists the two versions of an uploaded picture, so that a phone loads the small version. */
function widths(url: string, sizes: string): Content {
  const small = smallPicturePath(url)
  const { width, smallWidth } = PICTURE_FORMATS.service
  return (
    small !== undefined && html` srcset="${small} ${smallWidth}w, ${pictureAddress(url)} ${width}w" sizes="${sizes}"`
  )
}
