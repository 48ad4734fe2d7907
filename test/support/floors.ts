import { readFileSync } from 'node:fs'

export const architecture = readFileSync('ARCHITECTURE.md', 'utf8')

/** The lines of the picture from the top, each a floor and the rooms on it: what knows of everything stands first. */
export const floors = (/```floors\n(.*?)```/s.exec(architecture)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.includes(':') && !line.includes('|'))
  .map((line) => {
    const [floor = '', rooms = ''] = line.split(':')
    return { floor, rooms: rooms.trim().split(/\s+/) }
  })

export const isIn = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`)
