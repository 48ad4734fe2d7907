import type { Config } from '../config.ts'

/**
 * The origin a request was meant for. It is the configured one, whatever the Host header says: what was signed for
 * somebody else must not pass here. In development the server answers to both names of its own machine.
 */
export function publicOrigin({ baseUrl, mode }: Config, host: string | undefined): string {
  const base = new URL(baseUrl)
  if (mode !== 'development' || base.hostname !== '127.0.0.1') return base.origin
  return host === `localhost:${base.port}` ? `http://${host}` : base.origin
}
