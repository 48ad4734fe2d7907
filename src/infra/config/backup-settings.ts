export interface Backups {
  folder: string
  keep: number
}

export const backups = ({
  USP_BACKUP_DIR: folder,
  USP_BACKUP_KEEP: keep,
}: Record<string, unknown>): Backups | undefined =>
  folder === undefined ? undefined : { folder: String(folder), keep: Number(keep) }
