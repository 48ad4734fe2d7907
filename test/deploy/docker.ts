import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** In milliseconds. No command but a build takes this long. */
const TIMEOUT_MS = 120_000

/** Runs one command of Docker, and returns what it printed. Rejects if the command fails or takes too long. */
export async function docker(args: readonly string[], timeout = TIMEOUT_MS): Promise<string> {
  // Older versions of Docker use BuildKit only if this variable is set.
  const env = { ...process.env, DOCKER_BUILDKIT: '1' }
  const { stdout } = await run('docker', args, { env, timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 })
  return stdout.trim()
}

/** Returns why the tests cannot use Docker. Undefined if a daemon answers. */
export const findDockerProblem = (): Promise<string | undefined> =>
  docker(['info', '--format', '{{.ServerVersion}}'], 20_000).then(
    (version) => (version === '' ? 'The Docker daemon does not answer.' : undefined),
    (error) => `The Docker daemon does not answer: ${error}`,
  )

/** Returns the number of bytes in the layers that our Dockerfile adds to its base image. */
export async function measureOwnLayers(image: string): Promise<number> {
  const format = '{{.Size}} {{.CreatedBy}}'
  const history = await docker(['history', '--no-trunc', '--human=false', '--format', format, image])
  // The newest layer comes first. The label is the first instruction after the base image.
  const lines = history.split('\n')
  const first = lines.findIndex((line) => line.includes('LABEL org.opencontainers.image.title=usp-server'))
  if (first === -1) throw new Error(`The history of the image does not contain its label:\n${history}`)
  return lines.slice(0, first + 1).reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
}
