import { url as debuggerUrl } from 'node:inspector'

/** Milliseconds between two signs of life. */
const PULSE = 250

/**
 * Counts up while the event loop of this thread turns: what another thread watches. There is none where somebody looks at the
 * process through a debugger, who makes it wait.
 */
export function startPulse(): Int32Array | undefined {
  if (debuggerUrl() !== undefined) return undefined
  const pulse = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(pulse, 0, 1), PULSE).unref()
  return pulse
}
