import { expect, onTestFinished, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { readInWorker } from '../../src/domain/definition/parse-definition-in-worker.ts'
import { businessWith, service } from '../support/definitions.ts'

const usual = businessWith([service('svc_one')])

test('the thread that reads definitions ends after a minute without work, and the next definition starts another', async () => {
  let started = 0
  const count = () => void started++
  process.on('worker', count)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    process.off('worker', count)
  })
  const startedFor = async () => {
    started = 0
    await readInWorker(stringify(usual))
    return started
  }
  await startedFor()
  vi.advanceTimersByTime(59_000)
  expect(await startedFor()).toBe(0)
  vi.advanceTimersByTime(59_000)
  expect(await startedFor()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(await startedFor()).toBe(1)
})
