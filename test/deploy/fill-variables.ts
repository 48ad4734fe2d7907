/** Replaces `${NAME}`, `${NAME:-default}`, `${NAME-default}` and `${NAME:?message}`, as Compose does. */
export function fillVariables(text: string, settings: NodeJS.ProcessEnv): string {
  return text.replace(/\$\{(\w+)(?:(:?)([-?])([^}]*))?\}/g, (_, name, colon, kind, rest = '') => {
    const value = settings[name]
    if (value !== undefined && (value !== '' || colon !== ':')) return value
    if (kind === '?') throw new Error(`${name}: ${rest}`)
    return rest
  })
}
