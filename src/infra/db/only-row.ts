export function onlyRow<Row>({ rows: [row] }: { rows: Row[] }): Row {
  if (row === undefined) throw new Error('A statement that always answers with a row answered with none')
  return row
}
