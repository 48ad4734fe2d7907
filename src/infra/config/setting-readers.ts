interface Setting<Value, Standard> {
  /**
   * Converts the text of an environment variable to the value of the setting. Returns undefined if the text is invalid.
   */
  read(given: string): Value | undefined
  /** The default value. It applies if the environment does not set the setting. */
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
  read: (given) => (pattern.test(given) ? given : undefined),
  standard: standard as Standard,
})

export const integer = (least: number, most: number, standard: number): Setting<number, number> => ({
  read: (given) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
    return number >= least && number <= most ? number : undefined
  },
  standard,
})

export const oneOf = <const Value extends string, Standard extends Value | undefined = undefined>(
  values: readonly Value[],
  standard?: Standard,
): Setting<Value, Standard> => ({
  read: (given) => values.find((value) => value === given),
  standard: standard as Standard,
})

/**
 * Reads all settings from the environment. An empty variable counts as not set. `unusable` lists the names of the
 * settings with wrong values.
 */
export function readSettings<Of extends Settings>(settings: Of, env: NodeJS.ProcessEnv) {
  const unusable: string[] = []
  const read = Object.entries(settings).map(([name, { read, standard }]) => {
    const given = env[name]
    if (given === undefined || given === '') return [name, standard]
    const value = read(given)
    if (value === undefined) unusable.push(name)
    return [name, value]
  })
  return { values: Object.fromEntries(read) as ValuesOf<Of>, unusable }
}
