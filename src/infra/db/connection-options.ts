/** Of every connection of ours: how long, in milliseconds, making it may take, and how soon one is noticed that is dead. */
export const connectionOptions = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}
