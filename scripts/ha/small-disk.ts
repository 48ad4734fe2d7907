import { execFileSync } from 'node:child_process'
import { chownSync, statfsSync } from 'node:fs'

/** A small disk in memory, mounted at a folder. A test can make it full. */
export interface SmallDisk {
  /** Shrinks the disk to the size of its contents. No more data fits on it. */
  fill(): void
  makeRoom(): void
  remove(): void
}

/** Creates a small disk. Returns undefined if the machine does not allow mounts, for example without root. */
export function smallDisk(
  path: string,
  megabytes: number,
  owner: { uid?: number; gid?: number },
): SmallDisk | undefined {
  const mount = (...args: string[]) => execFileSync('mount', [...args, path], { stdio: 'ignore' })
  const size = `${megabytes}m`
  try {
    mount('-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'usp-small-disk')
  } catch {
    return undefined
  }
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid)
  return {
    fill() {
      for (let isFull = false; !isFull; )
        try {
          mount('-o', `remount,size=${usedOf(path)}`)
          isFull = true
        } catch {} // Another process has written data in the meantime, so the size was too small. The loop tries again.
    },
    makeRoom: () => void mount('-o', `remount,size=${size}`),
    // A lazy unmount: a process with an open file can use the disk until the process ends.
    remove: () => void execFileSync('umount', ['--lazy', path]),
  }
}

function usedOf(path: string): number {
  const { blocks, bfree, bsize } = statfsSync(path)
  return (blocks - bfree) * bsize
}
