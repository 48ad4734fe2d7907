/**
 * Returns an untrusted value as an object whose properties have the type `unknown`. Returns an empty object if the
 * value is not an object.
 */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

export const omitUndefined = <T extends object>(members: T): WithoutUndefined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>
