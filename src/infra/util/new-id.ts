import { randomBytes } from './random-bytes.ts'

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('base64url')}`
