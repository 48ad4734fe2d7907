import { randomBytes } from './random-bytes.ts'

/** A unique random id. The prefix tells people the kind of object. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('base64url')}`
