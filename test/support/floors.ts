import { readFileSync } from 'node:fs'

export const architecture = readFileSync('ARCHITECTURE.md', 'utf8')

/** The layers of the picture with their folders, top layer first. */
export const floors = (/```floors\n(.*?)```/s.exec(architecture)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.includes(':') && !line.includes('|'))
  .map((line) => {
    const [floor = '', rooms = ''] = line.split(':')
    return { floor, rooms: rooms.trim().split(/\s+/) }
  })

export const isIn = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`)
