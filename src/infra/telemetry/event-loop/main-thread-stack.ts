import { type Debugger, Session } from 'node:inspector'
import { asRecord } from '../../util/object-members.ts'
import { OPERATION_SYMBOL } from './current-operation.ts'

export interface MainThreadStack {
  /** The request or job that runs now. Undefined if none runs, for example while the server parses a request. */
  operation?: string
  at?: string[]
}

const MAX_FRAMES = 8
/**
 * Matches the path of the installation at the start of a file name. The described call stack leaves out this path,
 * because all files of the installation share it.
 */
const INSTALLATION_PREFIX = /^.*\/(?=src\/|node_modules\/)/

/**
 * Pauses the main thread for a moment, reads its call stack, and lets it continue. If the thread runs native code, it
 * pauses only when it returns to JavaScript. The top of the stack is still the function that called the native code.
 */
export async function readMainThreadStack(): Promise<MainThreadStack> {
  const session = new Session()
  const files = new Map<string, string>()
  session.connectToMainThread()
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url))
  const fileOf = ({ location }: Debugger.CallFrame) => files.get(location.scriptId) ?? 'unknown'
  const describe = (frame: Debugger.CallFrame): string =>
    `${frame.functionName || 'anonymous'} (${fileOf(frame).replace(INSTALLATION_PREFIX, '')}:${frame.location.lineNumber + 1})`
  try {
    const { callFrames } = await pause(session)
    const ownFrames = callFrames.filter((frame) => !fileOf(frame).startsWith('node:'))
    return {
      ...(await operationAt(session, ownFrames[0] ?? callFrames[0])),
      at: ownFrames.slice(0, MAX_FRAMES).map(describe),
    }
  } finally {
    // The end of the debugger session lets the main thread continue.
    session.disconnect()
  }
}

const pause = (session: Session) =>
  new Promise<Debugger.PausedEventDataType>((resolve) => {
    session.once('Debugger.paused', ({ params }) => resolve(params))
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })

async function operationAt(session: Session, frame: Debugger.CallFrame | undefined): Promise<MainThreadStack> {
  if (!frame) return {}
  const expression = `globalThis[Symbol.for('${OPERATION_SYMBOL}')]?.()`
  const evaluation = { callFrameId: frame.callFrameId, expression, returnByValue: true, silent: true }
  const operation = await new Promise<unknown>((resolve) =>
    session.post('Debugger.evaluateOnCallFrame', evaluation, (failure, answer) =>
      resolve(failure ? undefined : asRecord(asRecord(answer).result).value),
    ),
  )
  return typeof operation === 'string' && operation !== '' ? { operation } : {}
}
