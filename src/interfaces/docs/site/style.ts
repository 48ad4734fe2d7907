import { PLAIN_PALETTE } from '../../../infra/util/accent-color.ts'

export const style = `
${PLAIN_PALETTE}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; justify-content: space-between; max-width: 56rem; margin: 0 auto; padding: .75rem 1rem }
nav a { display: inline-block; padding: .5rem 1rem .5rem 0 }
input, button { min-height: 2.75rem; padding: .25rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--paper); color: inherit; font: inherit }
input { width: 14rem; max-width: 42vw }
main { max-width: 56rem; margin: 0 auto 2rem; padding: 1rem 1.5rem 2rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem }
@media (min-width: 48rem) { main { padding: 1rem 3rem 3rem } }
h1 { margin: 1rem 0; font-size: 1.75rem; line-height: 1.25 }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem }
h3 { margin: 2rem 0 .5rem; font-size: 1.0625rem }
a { color: var(--link) }
.soft { color: var(--soft) }
.skip { position: absolute; left: -99rem }
.skip:focus { position: static }
.cards { padding: 0; list-style: none }
.cards li { margin: 0 0 .75rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
code { padding: .1rem .25rem; border-radius: .25rem; background: var(--ground); font: .875em/1.5 ui-monospace, monospace }
pre { padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--ground) }
pre code { padding: 0; background: none }
li a { display: inline-block; padding: .125rem 0 }
summary { padding: .625rem 0; font-weight: 600; cursor: pointer }
.wide { overflow-x: auto }
table { border-collapse: collapse }
th, td { padding: .5rem .75rem; border: 1px solid var(--line); text-align: start; vertical-align: top }
img { max-width: 100%; height: auto }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
`
