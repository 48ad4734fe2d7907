/** The reason with which the suite skips checks that would have to wait for the end of a hold of ten minutes. */
export const LONG_HOLD = 'A hold lasts 10 minutes, and the suite waits at most 2 minutes.'

const hook = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => {
  const loaded = next(url, context)
  if (!url.endsWith('/availability-limits.ts')) return loaded
  return { ...loaded, source: String(loaded.source).replace('HOLD_MINUTES = 10', 'HOLD_MINUTES = 0.3') }
} })`

/** The environment of a server whose holds last 18 seconds. A busy machine can need some of them for one check. */
export const shortHolds = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
