import { randomBytes } from './random-bytes.ts'

/** An id that no two things share. The prefix tells people what it is of. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('base64url')}`
