import { readFileSync } from 'node:fs'

export const architecture = readFileSync('ARCHITECTURE.md', 'utf8')

/** The lines of the list in ARCHITECTURE.md, from the top: a layer and its folders, highest first. */
export const layers = (/```layers\n(.*?)```/s.exec(architecture)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.includes(':'))
  .map((line) => {
    const [layer = '', folders = ''] = line.split(':')
    return { layer, folders: folders.trim().split(/\s+/) }
  })

export const isIn = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`)
