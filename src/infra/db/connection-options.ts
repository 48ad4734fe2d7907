/**
 * The options of all connections to PostgreSQL: the connect timeout, and the idle time before the first TCP keepalive
 * packet. Both values are in milliseconds.
 */
export const connectionOptions = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
