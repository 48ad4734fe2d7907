import { hash } from 'node:crypto'
import { randomBytes } from '../../infra/util/random-bytes.ts'

/** Nobody guesses it. The prefix tells whoever finds one what it opens. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

/** What is stored instead of it. It needs no salt and no slowness: there is nothing shorter to guess. */
export const secretDigest = (secret: string): Buffer => hash('sha256', secret, 'buffer')
