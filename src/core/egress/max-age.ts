import type { EgressResponse } from './send-outside.ts'

/** Seconds that the answer may be cached, from its Cache-Control header; 0 without max-age. */
export const maxAgeOf = ({ headers }: Pick<EgressResponse, 'headers'>): number =>
  Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(String(headers['cache-control'] ?? ''))?.[1] ?? 0)
