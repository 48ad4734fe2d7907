import { hash } from 'node:crypto'
import { randomBytes } from '../../infra/util/random-bytes.ts'

/** A random secret of 256 bits. The prefix tells a person who finds one where it belongs. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

/** The stored form of a secret. It needs no salt and no slow hash: 256 random bits cannot be guessed. */
export const secretDigest = (secret: string): Buffer => hash('sha256', secret, 'buffer')
