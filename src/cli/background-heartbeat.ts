/** Milliseconds between two heartbeats of the background thread. */
export const HEARTBEAT_MS = 5_000
