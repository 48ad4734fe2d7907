import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ProtocolError } from './errors.ts'

export interface Cursors {
  seal(scope: string, position: readonly unknown[], now: Date): string
  open(scope: string, cursor: string, now: Date, lifetimeSeconds: number): unknown[]
}

const TAG_BYTES = 12

/**
 * Creates cursors. A cursor marks a position in a list, and its content is opaque to callers. A cursor is valid only
 * for one operation with the same filters. The server refuses cursors that it did not create.
 */
export function makeCursors(key: KeyObject): Cursors {
  const tag = (scope: string, body: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([scope, body]))
      .digest()
      .subarray(0, TAG_BYTES)

  return {
    seal(scope, position, now) {
      const body = Buffer.from(JSON.stringify([now.getTime(), ...position])).toString('base64url')
      return `${body}.${tag(scope, body).toString('base64url')}`
    },
    open(scope, cursor, now, lifetimeSeconds) {
      const [body = '', signature = '', ...rest] = cursor.split('.')
      const given = Buffer.from(signature, 'base64url')
      const canonical = given.toString('base64url') === signature && rest.length === 0
      if (!canonical || given.length !== TAG_BYTES || !timingSafeEqual(given, tag(scope, body))) throw cursorExpired()
      const [sealedAt, ...position]: [number, ...unknown[]] = JSON.parse(Buffer.from(body, 'base64url').toString())
      if (now.getTime() - sealedAt > lifetimeSeconds * 1000) throw cursorExpired()
      return position
    },
  }
}

export const cursorExpired = () =>
  new ProtocolError(
    'cursor_expired',
    'This cursor is not valid here, or no longer valid. Start again without a cursor. Send a cursor only with ' +
      'the filters it was issued for.',
  )
