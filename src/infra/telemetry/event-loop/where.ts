import { type Debugger, Session } from 'node:inspector'
import { recordOf } from '../../util/record-of.ts'
import { OPERATION } from './underway.ts'

export interface Whereabouts {
  /** What the code is for; nothing where it is for nothing in particular, as while a request is read. */
  operation?: string
  /** The innermost functions, and where they stand. */
  at?: string[]
}

const MOST_FRAMES = 8
/** Before it stands what is the same of every file. */
const ROOTS = /^.*\/(?=src\/|node_modules\/)/

/**
 * Stops the main thread for a moment, looks where it is, and lets it go on. A thread that is deep in something native
 * stops when it is out of it; the function that called that is then still the innermost.
 */
export async function whereItIs(): Promise<Whereabouts> {
  const session = new Session()
  const files = new Map<string, string>()
  session.connectToMainThread()
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url))
  const fileOf = ({ location }: Debugger.CallFrame) => files.get(location.scriptId) ?? 'unknown'
  const describe = (frame: Debugger.CallFrame): string =>
    `${frame.functionName || 'anonymous'} (${fileOf(frame).replace(ROOTS, '')}:${frame.location.lineNumber + 1})`
  try {
    const { callFrames } = await stopped(session)
    const ours = callFrames.filter((frame) => !fileOf(frame).startsWith('node:'))
    return {
      ...(await operationAt(session, ours[0] ?? callFrames[0])),
      at: ours.slice(0, MOST_FRAMES).map(describe),
    }
  } finally {
    // Whoever was stopped goes on when nobody looks any more.
    session.disconnect()
  }
}

const stopped = (session: Session) =>
  new Promise<Debugger.PausedEventDataType>((resolve) => {
    session.once('Debugger.paused', ({ params }) => resolve(params))
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })

async function operationAt(session: Session, frame: Debugger.CallFrame | undefined): Promise<Whereabouts> {
  if (!frame) return {}
  const expression = `globalThis[Symbol.for('${OPERATION}')]?.()`
  const evaluation = { callFrameId: frame.callFrameId, expression, returnByValue: true, silent: true }
  const operation = await new Promise<unknown>((resolve) =>
    session.post('Debugger.evaluateOnCallFrame', evaluation, (failure, answer) =>
      resolve(failure ? undefined : recordOf(recordOf(answer).result).value),
    ),
  )
  return typeof operation === 'string' && operation !== '' ? { operation } : {}
}
