import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What a test creates in Docker and in the file system. */
export interface Created {
  /** The label of its containers, volumes and networks. */
  label: string
  image: string
  folder: string
}

/**
 * Starts a process that removes everything when this process ends, even if it is killed. Returns a function that
 * removes everything earlier.
 */
export function cleanUpAtEnd({ label, image, folder }: Created): () => Promise<void> {
  const script = join(import.meta.dirname, 'remove-created.ts')
  const remover = spawn(process.execPath, [script, label, image, folder], {
    // The standard input ends with this process.
    stdio: ['pipe', 'ignore', 'inherit'],
    // A signal for this process and its group must not end the remover.
    detached: true,
  })
  const removed = once(remover, 'exit')
  return async () => {
    remover.stdin.end()
    await removed
  }
}
