/** Common mistakes in SQL. Each row has a pattern and a wrong replacement. */
const slips: [RegExp, string][] = [
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ >= /g, ' > '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/ = (?!any)/g, ' <> '],
  [/ and (?!not)/g, ' or '],
  [/ or /g, ' and '],
  [/\bnot exists\b/g, 'exists'],
  [/\bis not null\b/g, 'is null'],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/\blower\(/g, '('],
  [/ \+ 1\b/g, ' + 2'],
  [/ desc\b/g, ''],
  [/\b(\d+) (seconds|minutes|hours)\b/g, '1$1 $2'],
]

/** Returns copies of an SQL statement with one mistake each. Expressions in `${…}` do not change. */
export const sqlFaults = (statement: string): string[] =>
  slips.flatMap(([slip, by]) =>
    [...statement.matchAll(slip)]
      .filter(({ index }) => isSql(statement, index))
      .map(({ 0: found, index }) => {
        const slipped = found.replace(new RegExp(slip.source), by)
        return statement.slice(0, index) + slipped + statement.slice(index + found.length)
      }),
  )

/** Whether the position is SQL text: inside the template, but outside of `${…}`. */
function isSql(statement: string, index: number): boolean {
  const before = statement.slice(0, index)
  return before.includes('`') && before.split('{').length === before.split('}').length
}
