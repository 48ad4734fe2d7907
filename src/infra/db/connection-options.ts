/**
 * The options of all connections to PostgreSQL. The timeout for connecting and the idle time before the first TCP
 * keepalive are in milliseconds.
 */
export const connectionOptions = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
