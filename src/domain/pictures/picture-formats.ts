import type { AddPicture } from '../../protocol/types.generated.ts'

/** What a picture shows. The use determines the format of the picture. */
export type PictureUse = AddPicture['input']['use']

/** The pixels and the file type into which the server converts a picture. */
export interface PictureFormat {
  /** The maximum width and height in pixels. */
  width: number
  height: number
  /** Whether the server cuts the picture to the aspect ratio of `width` and `height`. */
  isCropped: boolean
  /** The width of the smaller version for phones and lists. */
  smallWidth?: number
  type: 'image/jpeg' | 'image/png'
}

/**
 * A logo keeps its shape and its transparency. Mail programs such as Outlook cannot show WebP, so a logo is a PNG file.
 */
export const PICTURE_FORMATS: Readonly<Record<PictureUse, PictureFormat>> = {
  service: { width: 1_600, height: 900, isCropped: true, smallWidth: 640, type: 'image/jpeg' },
  person: { width: 640, height: 640, isCropped: true, type: 'image/jpeg' },
  logo: { width: 480, height: 240, isCropped: false, type: 'image/png' },
}

/** The maximum size of an uploaded file, in bytes. Photos of phones have up to about eight million. */
export const MAX_UPLOAD_BYTES = 10_000_000

/** The maximum number of pixels of an uploaded picture. Phones take photos with up to 50 million. */
export const MAX_PIXELS = 50_000_000

/** The maximum size of a stored picture, in bytes. The table has the same limit. */
export const MAX_STORED_BYTES = 1_048_576
