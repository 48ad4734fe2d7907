/** Milliseconds between two heartbeats of the background thread. */
export const BEAT = 5_000
