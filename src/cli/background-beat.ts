/** Milliseconds between two signs of life of the thread that does what nobody waits for. */
export const BEAT = 5_000
