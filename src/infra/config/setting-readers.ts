/** Reads one setting. `standard` is its value if the environment does not set it. */
interface Setting<Value, Standard> {
  /** Returns the value of the text, or undefined if the text is not usable. */
  read(text: string): Value | undefined
  standard: Standard
}

type Settings = Record<string, Setting<unknown, unknown>>

type ValuesOf<Of extends Settings> = {
  [Name in keyof Of]: Of[Name] extends Setting<infer Value, infer Standard> ? Value | Standard : never
}

export const text = <Standard extends string | undefined = undefined>(
  pattern = /./s,
  standard?: Standard,
): Setting<string, Standard> => ({
  read: (text) => (pattern.test(text) ? text : undefined),
  standard: standard as Standard,
})

export const integer = (least: number, most: number, standard: number): Setting<number, number> => ({
  read: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
  standard,
})

export const oneOf = <const Value extends string, Standard extends Value | undefined = undefined>(
  values: readonly Value[],
  standard?: Standard,
): Setting<Value, Standard> => ({
  read: (text) => values.find((value) => value === text),
  standard: standard as Standard,
})

/** Reads all settings from the environment. An empty variable counts as not set. `unusable` has the names of wrong settings. */
export function readSettings<Of extends Settings>(settings: Of, env: NodeJS.ProcessEnv) {
  const unusable: string[] = []
  const read = Object.entries(settings).map(([name, { read, standard }]) => {
    const text = env[name]
    if (text === undefined || text === '') return [name, standard]
    const value = read(text)
    if (value === undefined) unusable.push(name)
    return [name, value]
  })
  return { values: Object.fromEntries(read) as ValuesOf<Of>, unusable }
}
