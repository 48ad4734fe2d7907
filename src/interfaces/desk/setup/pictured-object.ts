import { smallPicturePath } from '../../../domain/pictures/picture-addresses.ts'
import type { PictureUse } from '../../../domain/pictures/picture-formats.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord, omitUndefined } from '../../../infra/util/object-members.ts'
import type { ServiceDefinition } from '../../../protocol/types.generated.ts'
import { pictureAddress } from '../../assets/demo-pictures.ts'
import type { DeskRequest } from '../call-operation-as-staff.ts'
import { itemsIn, NEW, type Section, withValue } from './definition-sections.ts'
import { labelOf } from './field-labels.ts'

/** The paths of the pages on which the staff upload a picture: of a service or a person, and of the business. */
export const PICTURE_PATHS = ['/desk/setup/:section/:id/picture', '/desk/setup/website/logo'] as const

export type PicturedSection = 'services' | 'resources' | 'website'

/** A service, a person or room, or the business with its logo. `entry` is its part of the business definition. */
export interface PicturedObject {
  section: PicturedSection
  id: string
  entry: Readonly<Record<string, unknown>>
}

export interface PictureInDefinition {
  url: string
  /** The text that screen readers read. Only the picture of a service has one. */
  altText: string
}

export const PICTURE_USES: Readonly<Record<PicturedSection, PictureUse>> = {
  services: 'service',
  resources: 'person',
  website: 'logo',
}

export const isPictured = (section: Section): section is PicturedSection => section in PICTURE_USES

/** The address of the page of one picture. */
export const picturePageOf = (section: PicturedSection, id: string): string =>
  section === 'website' ? '/desk/setup/website/logo' : `/desk/setup/${section}/${encodeURIComponent(id)}/picture`

/** The address of the form of the service, the person or the website. */
export const settingsPageOf = ({ section, id }: Pick<PicturedObject, 'section' | 'id'>): string =>
  section === 'website' ? '/desk/setup/website' : `/desk/setup/${section}/${encodeURIComponent(id)}`

/** Finds what the page of a picture is about. Only the page of the logo has no id. */
export function findPictured(definition: object, section: string, id: string): PicturedObject | undefined {
  if (section === 'website')
    return id === '' ? { section, id, entry: asRecord(asRecord(definition).website) } : undefined
  if (section !== 'services' && section !== 'resources') return undefined
  const entry = itemsIn(definition, section).find((item) => item.id === id)
  return entry && { section, id, entry }
}

/** Returns the picture that the pages and the catalogue show. For a service, this is its first picture. */
export function pictureIn({ section, entry }: PicturedObject): PictureInDefinition | undefined {
  if (section === 'services') {
    const medium = mediaOf(entry).find(isImage)
    return medium && { url: medium.url, altText: medium.alt_text ?? '' }
  }
  const url = section === 'resources' ? entry.image_url : entry.logo
  return typeof url === 'string' ? { url, altText: '' } : undefined
}

/** Returns a copy of the business definition with another picture, or without one. */
export function withPicture(
  definition: object,
  { section, id, entry }: PicturedObject,
  picture: PictureInDefinition | undefined,
): object {
  if (section === 'services')
    return withValue(definition, section, id, omitUndefined({ ...entry, media: mediaWith(mediaOf(entry), picture) }))
  if (section === 'resources')
    return withValue(definition, section, id, omitUndefined({ ...entry, image_url: picture?.url }))
  return { ...definition, website: omitUndefined({ ...entry, logo: picture?.url }) }
}

type Medium = NonNullable<ServiceDefinition['media']>[number]

/** The cast is safe, because the definition in force matches its schema. */
const mediaOf = ({ media }: Readonly<Record<string, unknown>>): Medium[] =>
  Array.isArray(media) ? (media as Medium[]) : []

const isImage = ({ type }: Medium) => type === 'image'

/** Replaces the first picture. The measures of the former picture do not fit the new one. */
function mediaWith(media: Medium[], picture: PictureInDefinition | undefined): Medium[] | undefined {
  const former = media.find(isImage)
  const others = media.filter((one) => one !== former)
  const fresh: Medium[] = picture
    ? [
        {
          type: 'image',
          url: picture.url,
          ...(picture.altText !== '' && { alt_text: picture.altText }),
          ...(former?.role && { role: former.role }),
        },
      ]
    : []
  const all = [...fresh, ...others]
  return all.length > 0 ? all : undefined
}

/** The small version of a picture for a page of the desk. */
export function previewOf(url: string, use: PictureUse, altText = ''): Content {
  const small = use === 'service' ? smallPicturePath(url) : undefined
  const address = small ?? pictureAddress(url)
  return html`<img class="uploaded ${use}" src="${address}" alt="${altText}">`
}

/** The current picture above the form of a service, a person or the website, with a link to its page. */
export function pictureLink(section: Section, id: string, value: object, { request }: DeskRequest): Content {
  if (!isPictured(section) || id === NEW) return undefined
  const { localizer } = request
  const pictured: PicturedObject = {
    section,
    id,
    entry: section === 'website' ? asRecord(asRecord(value).website) : asRecord(value),
  }
  const picture = pictureIn(pictured)
  const text = localizer.say(picture ? 'setup.picture.change' : 'setup.picture.add')
  const label = section === 'website' ? `${labelOf('logo', localizer)}: ${text}` : text
  return html`<p class="picture-link">${picture && previewOf(picture.url, PICTURE_USES[section])}<a class="button plain" href="${picturePageOf(section, id)}">${label}</a></p>`
}
