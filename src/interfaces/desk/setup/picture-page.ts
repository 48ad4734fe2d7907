import { MAX_UPLOAD_BYTES, PICTURE_FORMATS } from '../../../domain/pictures/picture-formats.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { faultOfField, faultSummary } from '../../pages/form-error-summary.ts'
import type { DeskRequest } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { labelOf } from './field-labels.ts'
import {
  PICTURE_USES,
  type PicturedObject,
  pictureIn,
  picturePageOf,
  previewOf,
  settingsPageOf,
} from './pictured-object.ts'

export const MAX_UPLOAD_MEGABYTES = MAX_UPLOAD_BYTES / 1e6

/** The maximum number of characters that the schema of the definition allows for a description of a picture. */
const MAX_ALT_TEXT_CHARACTERS = 200

interface RefusedPicture {
  fault: Content
  altText: string
}

/**
 * The page on which the staff upload the picture of a service or a person, or the logo. Without scripts, the server cuts
 * the picture around its centre. With scripts, the page shows a preview, in which the staff choose the part.
 */
export function picturePage(pictured: PicturedObject, deskRequest: DeskRequest, refused?: RefusedPicture): DeskView {
  const { who, request } = deskRequest
  const { localizer } = request
  const { say } = localizer
  const { section, id } = pictured
  const picture = pictureIn(pictured)
  const use = PICTURE_USES[section]
  const fault = faultOfField('picture', refused?.fault)
  return {
    status: refused ? 409 : 200,
    title: titleOf(pictured, deskRequest),
    who,
    place: 'setup',
    body: html`${refused && faultSummary(say('setup.look_again', { count: 1 }), [{ id: 'picture', label: say('setup.picture.choose'), fault: refused.fault }])}
${picture && html`<p class="current">${previewOf(picture.url, use, picture.altText)}</p>`}
<form method="post" action="${picturePageOf(section, id)}" enctype="multipart/form-data" class="picture-form" data-draft>
<label for="picture">${say('setup.picture.choose')}</label>${fault.error}
<p class="hint" id="picture-hint">${say('setup.picture.hint', { megabytes: MAX_UPLOAD_MEGABYTES })} ${say(`setup.picture.hint.${use}`)}</p>
<input id="picture" name="picture" type="file" accept="image/jpeg,image/png,image/webp"${fault.mark ?? html` aria-describedby="picture-hint"`}>
${preview(pictured, deskRequest)}${use === 'service' && altTextField(refused?.altText ?? picture?.altText ?? '', deskRequest)}
<div class="acts"><button name="do" value="save">${say('desk.save')}</button>
${picture && html`<button class="plain danger" name="do" value="remove" formnovalidate>${say('setup.picture.remove')}</button>`}</div></form>
<p><a class="way" href="${settingsPageOf(pictured)}">${section === 'website' ? labelOf('website', localizer) : String(pictured.entry.name)}</a></p>`,
  }
}

function titleOf({ section, entry }: PicturedObject, { request: { localizer } }: DeskRequest): string {
  return section === 'website'
    ? labelOf('logo', localizer)
    : localizer.say('setup.picture.of', { name: String(entry.name) })
}

/** The preview, in which the script lets the staff choose the part of the picture. It is hidden without scripts. */
function preview({ section }: PicturedObject, { request: { localizer } }: DeskRequest): Content {
  const { say } = localizer
  const use = PICTURE_USES[section]
  const { width, height, isCropped } = PICTURE_FORMATS[use]
  const range = (name: 'horizontal' | 'vertical' | 'zoom', value: number) =>
    html`<div><label for="part-${name}">${say(`setup.picture.${name}`)}</label><input id="part-${name}" type="range" dir="ltr" min="0" max="100" step="any" value="${value}"></div>
`
  return html`<div class="preview ${use}" data-preview hidden><canvas width="${width}" height="${height}" role="img" aria-label="${say('setup.picture.preview')}"></canvas>
${isCropped && html`<p class="hint">${say('setup.picture.drag')}</p><div class="ranges">${range('zoom', 0)}${range('horizontal', 50)}${range('vertical', 50)}</div>`}</div>
`
}

const altTextField = (value: string, { request: { localizer } }: DeskRequest): Content =>
  html`<label for="alt">${labelOf('alt_text', localizer)} <span class="hint">${localizer.say('book.optional')}</span></label>
<input id="alt" name="alt" dir="auto" maxlength="${MAX_ALT_TEXT_CHARACTERS}" autocomplete="off" value="${value}">
`
