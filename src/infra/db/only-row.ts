export function onlyRow<Row>({ rows: [row] }: { rows: Row[] }): Row {
  if (row === undefined) throw new Error('A statement that always returns a row returned none')
  return row
}
