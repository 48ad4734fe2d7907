export function table(rows: Record<string, unknown>[]): string {
  const [first] = rows
  if (!first) return 'None.'
  const cell = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value))
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
