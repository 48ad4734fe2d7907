import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Target } from '../target/target.ts'
import { uspServerStaff } from './usp-server-staff.ts'

/**
 * Actions of the staff. Some checks need them, because a platform cannot make these changes. A server may support only
 * some actions. The suite skips the checks that need the others.
 */
export interface Staff {
  /** The bearer token with which the staff confirm bookings, if the server has one. */
  bearer?: string
  /** Confirms a booking that waits for approval. Returns the body of the answer, if there is one. */
  confirm?(bookingId: string): Promise<unknown>
  /** Cancels a booking in the name of the business. */
  cancel?(bookingId: string): Promise<void>
  /** Records that the service of a confirmed booking begins. */
  start?(bookingId: string): Promise<void>
  /** Records that the service of a started booking is finished. */
  complete?(bookingId: string): Promise<void>
  /** Changes the status of a service in the catalogue. */
  setServiceStatus?(serviceId: string, status: 'active' | 'suspended'): Promise<void>
  /** Removes a service from the catalogue. Returns a function that adds it again. */
  removeService?(serviceId: string): Promise<() => Promise<void>>
  /** Records that the buyer did not come. */
  markNoShow?(bookingId: string): Promise<void>
}

/**
 * Loads the staff adapter that the option `--staff` names. `usp-server:TOKEN` selects the adapter for this project's
 * server. Any other name is the path of a JavaScript module. Its default export is a function that receives the origin
 * of the server, and returns an object with these actions.
 */
export async function loadStaff(name: string, target: Target): Promise<Staff> {
  const [, token] = /^usp-server:(.+)$/.exec(name) ?? []
  if (token !== undefined) return uspServerStaff(target, token)
  const { default: create } = await import(pathToFileURL(resolve(name)).href)
  if (typeof create !== 'function')
    throw new Error(`The staff adapter ${name} must have a function as its default export.`)
  return create(target.origin)
}
