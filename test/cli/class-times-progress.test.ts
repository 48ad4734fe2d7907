import { expect, onTestFinished, test, vi } from 'vitest'
import { classTimesProgress } from '../../src/cli/print-class-session-progress.ts'

test('[an apply says how far it is] once in five seconds, and not at all if it ends earlier', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(60_000)
  onTestFinished(() => clock.mockRestore())
  const lines: string[] = []
  const show = classTimesProgress((line) => lines.push(line))
  const doneAt = (seconds: number, done: number) => {
    clock.mockReturnValue(60_000 + seconds * 1000)
    show(done, 5_000)
    return lines.splice(0)
  }
  expect([doneAt(0, 200), doneAt(4.9, 1_000)]).toEqual([[], []])
  expect(doneAt(5, 1_200)).toEqual(['Class times: 1,200 of 5,000 changes are done.'])
  expect([doneAt(5.1, 1_400), doneAt(9.9, 2_000)]).toEqual([[], []])
  expect(doneAt(10, 2_200)).toEqual(['Class times: 2,200 of 5,000 changes are done.'])
})
