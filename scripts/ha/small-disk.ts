import { execFileSync } from 'node:child_process'
import { chownSync, statfsSync } from 'node:fs'

/** A disk of its own at some folder, in memory, on which there is room or none. */
export interface SmallDisk {
  /** Leaves no room, from now on, for anything that is not there yet. */
  fill(): void
  makeRoom(): void
  remove(): void
}

/** Nothing where the machine does not let us have one: only root may, and not everywhere. */
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
        } catch {} // More was written meanwhile than it had then.
    },
    makeRoom: () => void mount('-o', `remount,size=${size}`),
    // Whoever still has a file open there keeps it until they end.
    remove: () => void execFileSync('umount', ['--lazy', path]),
  }
}

function usedOf(path: string): number {
  const { blocks, bfree, bsize } = statfsSync(path)
  return (blocks - bfree) * bsize
}
