import { expect, test } from 'vitest'
import { stateMachine } from '../../src/protocol/state-machine.ts'

const door = stateMachine<'open' | 'shut' | 'gone', 'shut' | 'open' | 'remove'>('door', {
  open: { shut: 'shut' },
  shut: { open: 'open', remove: 'gone' },
  gone: {},
})

test('a step leads where the table says, and otherwise nowhere', () => {
  expect([door.next('open', 'shut'), door.next('shut', 'remove'), door.next('open', 'remove')]).toEqual([
    'shut',
    'gone',
    undefined,
  ])
  expect([door.isOver('shut'), door.isOver('gone'), door.endings]).toEqual([false, true, ['gone']])
})

test('whoever takes a step that leads nowhere has made a mistake', () => {
  expect(door.after('open', 'shut')).toBe('shut')
  expect(() => door.after('gone', 'open')).toThrow('door: open leads nowhere from gone')
})
