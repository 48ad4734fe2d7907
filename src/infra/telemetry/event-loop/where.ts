import { type Debugger, Session } from 'node:inspector'
import { recordOf } from '../../util/record-of.ts'
import { OPERATION } from './underway.ts'

export interface Whereabouts {
  /** The running operation; undefined outside one, for example while the server parses a request. */
  operation?: string
  at?: string[]
}

const MOST_FRAMES = 8
/** The part of a file name that is the same for all files of the installation. */
const ROOTS = /^.*\/(?=src\/|node_modules\/)/

/**
 * Pauses the main thread for a moment, reads its stack, and resumes it. A thread in native code pauses when it returns to
 * JavaScript. The innermost function is then still the caller of the native code.
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
    // Disconnecting the session resumes the main thread.
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
