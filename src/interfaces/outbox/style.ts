import { PLAIN_PALETTE } from '../../infra/util/accent-color.ts'

export const style = `
${PLAIN_PALETTE}
* { box-sizing: border-box }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 60rem; margin: 0 auto }
h1 { margin: .5rem 0 1rem; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem }
a { color: var(--link) }
.soft, dt, th { color: var(--soft) }
table { width: 100%; border-collapse: collapse; background: var(--paper); border: 1px solid var(--line) }
th, td { padding: .625rem .75rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400 }
@media (max-width: 40rem) {
thead { display: none }
tr { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .625rem .75rem; border-bottom: 1px solid var(--line) }
td { padding: 0; border: 0 }
td:nth-child(-n+2) { grid-column: 1 / -1 }
}
dl { margin: 0 0 1rem }
dl div { display: flex; gap: 1rem }
dt { flex: 0 0 6rem }
dd { margin: 0 }
iframe { display: block; width: 100%; height: 44rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper) }
pre { margin: 0; padding: 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
`
