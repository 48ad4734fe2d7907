import type { EgressResponse } from './send-outside.ts'

/** Seconds for which an answer may be kept, as its server says; none where it does not say. */
export const maxAgeOf = ({ headers }: Pick<EgressResponse, 'headers'>): number =>
  Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(String(headers['cache-control'] ?? ''))?.[1] ?? 0)
