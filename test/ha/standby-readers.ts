import { expect } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import type { TestServer } from '../support/server.ts'
import type { Cluster } from './cluster.ts'

/** A lost standby is looked for every second, by whoever reads. */
export const patient = { timeout: 90_000, interval: 100 }

/** A business whose one service is called that. */
export const named = (name: string) => businessWith([service('svc_cut', { name })])

export async function nameRead(server: TestServer): Promise<string> {
  const { body } = await server.rest('POST', '/services/list', {})
  return body.services[0].name
}

/** Who was asked what a standby may answer. */
export async function readsOf({ runtime: { metrics } }: TestServer) {
  const { values } = await metrics.reads.get()
  const at = (place: string) => values.find(({ labels }) => labels.at === place)?.value ?? 0
  return { standby: at('standby'), primary: at('primary') }
}

/** Reads until a standby has answered once more. */
export async function untilReadAtStandby(server: TestServer): Promise<void> {
  const { standby } = await readsOf(server)
  const readAgain = async () => {
    await nameRead(server)
    return (await readsOf(server)).standby
  }
  await expect.poll(readAgain, patient).toBeGreaterThan(standby)
}

/** One that follows the primary. */
export async function standbyOf({ nodes: [, standby], join }: Cluster) {
  if (!standby) throw new Error('There is one node alone.')
  await join(standby)
  return standby
}
