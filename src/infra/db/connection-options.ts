/** For every connection: the timeout for connecting, and the idle time before TCP keepalive, in milliseconds. */
export const connectionOptions = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
