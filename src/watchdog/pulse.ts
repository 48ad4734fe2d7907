import { url as debuggerUrl } from 'node:inspector'

/** Milliseconds between two signs of life. */
const PULSE = 250

/**
 * Counts up while the event loop of this thread turns: what another thread watches. Whoever looks at the process through a
 * debugger makes it wait, and there is none.
 */
export function startPulse(): Int32Array | undefined {
  if (debuggerUrl() !== undefined) return undefined
  const pulse = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(pulse, 0, 1), PULSE).unref()
  return pulse
}
