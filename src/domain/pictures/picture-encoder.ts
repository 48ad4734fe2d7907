/**
 * The program of the process that decodes an uploaded picture and encodes it again. Decoders are large programs in C that
 * read hostile data. Therefore they run in a separate process. It gets no settings and no secrets of the server, and ends
 * after one picture.
 */
import type sharp from 'sharp'
import type { Sharp } from 'sharp'
import { MAX_PIXELS, MAX_STORED_BYTES, type PictureFormat } from './picture-formats.ts'

export interface EncodingTask {
  bytes: Uint8Array
  format: PictureFormat
}

export type PictureFault = 'no_decoder' | 'unreadable' | 'animated' | 'too_many_pixels' | 'too_complex'

export type EncodingAnswer =
  | { width: number; height: number; content: Uint8Array; small: Uint8Array | null }
  | { fault: PictureFault }

type Decoder = typeof sharp

/** The decoders that may run. All others are blocked, such as those for SVG, PDF and GIF. */
const DECODERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer']

/** The qualities that the encoder tries in this order, until the file is small enough. */
const QUALITIES = [80, 60, 40]

process.once('message', async (task: EncodingTask) => {
  process.send?.(await answerTo(task), () => process.disconnect())
})

async function answerTo(task: EncodingTask): Promise<EncodingAnswer> {
  const decoder = await loadedDecoder()
  if (!decoder) return { fault: 'no_decoder' }
  try {
    return await encoded(task, decoder)
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit')
    return { fault: isTooLarge ? 'too_many_pixels' : 'unreadable' }
  }
}

/** The package `sharp` is optional: npm does not install it on a system without a prebuilt decoder. */
async function loadedDecoder(): Promise<Decoder | undefined> {
  try {
    const { default: decoder } = await import('sharp')
    decoder.concurrency(1)
    decoder.cache(false)
    decoder.block({ operation: ['VipsForeignLoad'] })
    decoder.unblock({ operation: DECODERS })
    return decoder
  } catch {
    return undefined
  }
}

/**
 * Decodes the picture once, in the size of the larger version. The result contains only pixels: no location, no camera,
 * no comments. Both versions come from these pixels.
 */
async function encoded({ bytes, format }: EncodingTask, decoder: Decoder): Promise<EncodingAnswer> {
  const image = decoder(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', autoOrient: true })
  const { pages = 1, autoOrient: whole } = await image.metadata()
  if (pages > 1) return { fault: 'animated' }
  const { data, info } = await withoutTransparency(image.resize(sizeFor(whole, format)).toColourspace('srgb'), format)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const versionOf = (most: number) => fileOf(decoder(data, { raw: { width, height, channels } }).resize(most), format)
  const content = await versionOf(width)
  if (!content) return { fault: 'too_complex' }
  const { smallWidth } = format
  const small = smallWidth !== undefined && smallWidth < width ? await versionOf(smallWidth) : undefined
  return { width, height, content, small: small ?? null }
}

/** Returns the size of the larger version. A picture never becomes larger than it is. */
function sizeFor(whole: { width: number; height: number }, { width, height, isCropped }: PictureFormat) {
  if (!isCropped) return { width, height, fit: 'inside', withoutEnlargement: true } as const
  const scale = Math.min(1, whole.width / width, whole.height / height)
  const sideOf = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: sideOf(width), height: sideOf(height), fit: 'cover', position: 'centre' } as const
}

const withoutTransparency = (image: Sharp, { type }: PictureFormat): Sharp =>
  type === 'image/jpeg' ? image.flatten({ background: '#fff' }) : image

/** Encodes a picture. Returns undefined if the file is too large even in the lowest quality. */
async function fileOf(image: Sharp, { type }: PictureFormat): Promise<Buffer | undefined> {
  for (const quality of QUALITIES) {
    const version = image.clone()
    const file = await (type === 'image/jpeg'
      ? version.jpeg({ quality, mozjpeg: true })
      : version.png({ palette: true, quality })
    ).toBuffer()
    if (file.length <= MAX_STORED_BYTES) return file
  }
  return undefined
}
