export const HEARTBEAT_MS = 5_000
