/**
 * The options of all connections to PostgreSQL. Both times are in milliseconds: the time limit for connecting, and the
 * idle time before the first TCP keepalive packet.
 */
export const connectionOptions = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
