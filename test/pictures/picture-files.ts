import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

const colour = { r: 200, g: 40, b: 90 }

/** A JPEG of one colour. Its EXIF data says where it was taken, and that it stands on its side if `orientation` is 6. */
export const photo = (width = 800, height = 600, orientation = 1): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .withExif({ IFD0: { Artist: 'Ada Secret' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation })
    .toBuffer()

/** Left half red, right half blue; the middle is green in a stripe of a tenth. */
export const striped = async (width: number, height: number): Promise<Buffer> => {
  const stripe = (w: number, background: string) =>
    sharp({ create: { width: w, height, channels: 3, background } })
      .png()
      .toBuffer()
  const tenth = Math.round(width / 10)
  return sharp(await stripe(width, '#f00'))
    .composite([
      { input: await stripe(Math.floor(width / 2), '#00f'), left: Math.ceil(width / 2), top: 0 },
      { input: await stripe(tenth, '#0f0'), left: Math.round((width - tenth) / 2), top: 0 },
    ])
    .jpeg({ quality: 95 })
    .toBuffer()
}

export const logo = (width = 600, height = 100): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { ...colour, alpha: 0.5 } } })
    .png()
    .toBuffer()

/** The largest that noise can become: nothing of it can be left out. */
export const noise = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 80 },
    },
  })
    .png()
    .toBuffer()

export const animated = async (): Promise<Buffer> => {
  const frames = Buffer.concat([Buffer.alloc(16 * 16 * 3, 0), Buffer.alloc(16 * 16 * 3, 255)])
  return sharp(frames, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
}

const chunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** A PNG of a few kilobytes that says to have this many pixels: a decompression bomb. */
export function pngSaying(width: number, height: number, content = Buffer.alloc(1_000_000)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(content)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>',
)
/** A GIF of one pixel. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
