import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Target } from '../target/target.ts'
import { uspServerStaff } from './usp-server-staff.ts'

/**
 * Acts as a person of the business, for the checks of what a platform alone cannot cause. A server may support only some
 * of the actions: the checks of the others are skipped.
 */
export interface Staff {
  /** The bearer value by which the person confirms bookings, if the server has one. */
  bearer?: string
  /** Confirms a booking that waits for approval. Resolves to the body of the answer, if the server has such an answer. */
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
 * Loads the adapter that `--staff` names: `usp-server:TOKEN` for this project's server, or the path of a JavaScript
 * module whose default export is a function from the origin of the server to an object with these actions.
 */
export async function loadStaff(name: string, target: Target): Promise<Staff> {
  const [, token] = /^usp-server:(.+)$/.exec(name) ?? []
  if (token !== undefined) return uspServerStaff(target, token)
  const { default: create } = await import(pathToFileURL(resolve(name)).href)
  if (typeof create !== 'function') throw new Error(`${name} must export a function as default.`)
  return create(target.origin)
}
