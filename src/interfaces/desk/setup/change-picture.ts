import { addPicture } from '../../../domain/desk/setup/add-picture.ts'
import { applyDefinition } from '../../../domain/desk/setup/apply-definition.ts'
import { MAX_UPLOAD_BYTES } from '../../../domain/pictures/picture-formats.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { Message as Refusal } from '../../../protocol/types.generated.ts'
import { formOf, queryOf } from '../../pages/page-route-setup.ts'
import { FormWithFile } from '../../pages/read-multipart-form.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from '../call-operation-as-staff.ts'
import type { Answer } from '../desk-page.ts'
import { TOO_LARGE } from '../picture-upload.ts'
import { type CurrentDefinition, findCurrentDefinition } from './current-definition.ts'
import { MAX_UPLOAD_MEGABYTES, picturePage } from './picture-page.ts'
import {
  findPictured,
  PICTURE_USES,
  type PicturedObject,
  type PictureInDefinition,
  pictureIn,
  settingsPageOf,
  withPicture,
} from './pictured-object.ts'
import { refusalContent } from './review-change-page.ts'

/** The reason why the server refused the uploaded file. */
type PictureFormFault = 'missing' | 'unreadable' | 'large' | 'no_decoder' | 'full'

const faultText = (fault: PictureFormFault, { request: { localizer } }: DeskRequest): string =>
  localizer.say(`setup.picture.fault.${fault}`, { megabytes: MAX_UPLOAD_MEGABYTES })

/** Handles a request for the page of a picture with the service, the person or the website of this page. */
const onPictured =
  (
    handle: (
      pictured: PicturedObject,
      current: CurrentDefinition,
      deskRequest: DeskRequest,
      dependencies: DeskDependencies,
    ) => Promise<Answer>,
  ) =>
  async (deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> => {
    if (!isAllowed(deskRequest.who, addPicture)) return missingRolePage(addPicture, deskRequest)
    if (!(await dependencies.business.get())) return { to: '/desk/setup' }
    const current = await findCurrentDefinition(deskRequest, dependencies)
    const { section = 'website', id = '' } = asRecord(deskRequest.request.params)
    const pictured = findPictured(current.definition, String(section), String(id))
    return pictured && handle(pictured, current, deskRequest, dependencies)
  }

export const showPicture = onPictured(async (pictured, _, deskRequest) => {
  const isTooLarge = queryOf(deskRequest.request).has(TOO_LARGE)
  const refused = { fault: faultText('large', deskRequest), altText: pictureIn(pictured)?.altText ?? '' }
  return picturePage(pictured, deskRequest, isTooLarge ? refused : undefined)
})

/** Stores or removes a picture, and applies the changed business definition. */
export const submitPicture = onPictured(async (pictured, current, deskRequest, dependencies) => {
  const form = formOf(deskRequest.request)
  const altText = form.get('alt')?.trim() ?? ''
  const picture =
    form.get('do') === 'remove' ? undefined : await chosenPicture(pictured, altText, deskRequest, dependencies)
  if (picture && 'fault' in picture)
    return picturePage(pictured, deskRequest, { fault: faultText(picture.fault, deskRequest), altText })
  const refusal = await applyPicture(current, pictured, picture, deskRequest, dependencies)
  if (refusal)
    return picturePage(pictured, deskRequest, {
      fault: refusalContent(refusal, deskRequest.request.localizer),
      altText,
    })
  return { to: `${settingsPageOf(pictured)}?saved` }
})

/** Returns the uploaded picture. If the form has no file, returns the current picture with the entered text. */
async function chosenPicture(
  pictured: PicturedObject,
  altText: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<PictureInDefinition | { fault: PictureFormFault }> {
  const form = formOf(deskRequest.request)
  const file = form instanceof FormWithFile ? form.file : undefined
  if (!file) {
    const before = pictureIn(pictured)
    return before && before.altText !== altText ? { ...before, altText } : { fault: 'missing' }
  }
  if (file.length > MAX_UPLOAD_BYTES) return { fault: 'large' }
  const input = { data: file.toString('base64'), use: PICTURE_USES[pictured.section] }
  try {
    const answer = await callAsStaff(addPicture, input, deskRequest, dependencies)
    return answer.refusal ? { fault: faultOf(answer.refusal) } : { url: answer.result.url, altText }
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'content_too_large') return { fault: 'large' }
    throw error
  }
}

function faultOf({ code, path }: Refusal): PictureFormFault {
  if (code === 'validation_error') return 'unreadable'
  return path === undefined ? 'full' : 'no_decoder'
}

async function applyPicture(
  { version, definition }: CurrentDefinition,
  pictured: PicturedObject,
  picture: PictureInDefinition | undefined,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Refusal | undefined> {
  const changed = JSON.stringify(withPicture(definition, pictured, picture))
  const answer = await callAsStaff(applyDefinition, { definition: changed, version }, deskRequest, dependencies)
  if (!answer.refusal) await dependencies.business.seenBy(dependencies.db)
  return answer.refusal
}
