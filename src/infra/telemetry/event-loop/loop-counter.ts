import { url as debuggerUrl } from 'node:inspector'

const INTERVAL_MS = 250

/**
 * A counter that grows while the event loop of this thread runs. Another thread watches it. Undefined under a debugger,
 * because a debugger may pause the process.
 */
export function startLoopCounter(): Int32Array | undefined {
  if (debuggerUrl() !== undefined) return undefined
  const pulse = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(pulse, 0, 1), INTERVAL_MS).unref()
  return pulse
}
