import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { AddPicture } from '../../../protocol/types.generated.ts'
import { encodePicture, PictureError } from '../../pictures/encode-picture.ts'
import { pictureUrl } from '../../pictures/picture-addresses.ts'
import type { PictureFault } from '../../pictures/picture-encoder.ts'
import { MAX_PIXELS, MAX_UPLOAD_BYTES, PICTURE_FORMATS } from '../../pictures/picture-formats.ts'
import { countPictures, type Picture, picturesLock, pictureUpsert } from '../../pictures/picture-queries.ts'
import { atDesk } from '../shared/operation-defaults.ts'

/** The maximum number of stored pictures. Then all pictures together take at most about a gigabyte. */
const MAX_PICTURES = 1_000

const MAX_BASE64_CHARACTERS = Math.ceil(MAX_UPLOAD_BYTES / 3) * 4

export const addPicture = defineOperation<AddPicture & { prepared: Picture }>({
  ...atDesk,
  id: 'addPicture',
  rest: 'POST /business/pictures',
  tool: 'usp_business_pictures_add',
  title: 'Add a picture',
  description:
    'Stores a picture without hidden data, such as the place of the photo. Returns its address for the business ' +
    'definition. A picture that the definition does not name for 30 days is deleted.',
  role: 'manager',
  effect: 'create',
  input: {
    type: 'object',
    required: ['data', 'use'],
    properties: {
      data: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_BASE64_CHARACTERS,
        description: 'The JPEG, PNG or WebP file in base64, at most 64 KiB long. Upload a larger file at the desk.',
      },
      use: {
        enum: ['service', 'person', 'logo'],
        description: 'service: cut to 16:9, at most 1600 pixels wide. person: cut to a square. logo: keeps its shape.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['url', 'width', 'height'],
    properties: {
      url: {
        type: 'string',
        format: 'uri',
        description:
          'The address of the picture. Enter it into the definition: as media of a service, image_url of a person, or ' +
          'website.logo.',
      },
      width: { type: 'integer', description: 'Width in pixels.' },
      height: { type: 'integer', description: 'Height in pixels.' },
    },
  },
  summary: ({ url, width, height }) => `The picture has ${width} × ${height} pixels. Its address is ${url}`,
  prepare: ({ input: { data, use } }) =>
    encodePicture(bytesOf(data), PICTURE_FORMATS[use]).catch((error: unknown) => {
      throw error instanceof PictureError ? refusals[error.fault]() : error
    }),
  async handle({ db, caller, now, config }, picture) {
    await picturesLock(db)
    if ((await countPictures(db)) >= MAX_PICTURES)
      throw new BusinessRefusal(
        'invalid_transition',
        `At most ${MAX_PICTURES} pictures can be stored. The server deletes unused pictures after 30 days.`,
      )
    await pictureUpsert(db, picture, now)
    const { digest, width, height } = picture
    const entry = { actor: caller.principal, action: 'add_picture', subject: 'business', from: null, to: null }
    insertAuditEntry(db, { ...entry, detail: { picture: digest.toString('hex') } }, now)
    return { url: pictureUrl(config.baseUrl, picture), width, height }
  },
})

function bytesOf(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64')
  // Node ignores characters that base64 does not have. The length of the result shows whether there were any.
  if (bytes.length !== Buffer.byteLength(data, 'base64')) throw invalidInput('The data must be in base64.', '$.data')
  return bytes
}

const unreadable = (message: string) => () => invalidInput(message, '$.data')

const refusals: Record<PictureFault, () => Error> = {
  unreadable: unreadable('The data is no complete JPEG, PNG or WebP file.'),
  animated: unreadable('The picture is animated. Send a picture that does not move.'),
  too_complex: unreadable('The picture stays larger than one megabyte. Send a picture with less detail.'),
  too_many_pixels: () =>
    new ProtocolError('content_too_large', `A picture may have ${MAX_PIXELS / 1e6} million pixels at most.`),
  no_decoder: () =>
    new BusinessRefusal(
      'invalid_transition',
      'This server cannot read pictures, because the optional npm package `sharp` is not installed. Put the picture on ' +
        'your website, and enter its address.',
      '$.data',
    ),
}
