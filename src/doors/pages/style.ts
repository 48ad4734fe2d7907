import { Html } from './html.ts'

/** Large enough to read and to hit, on 320 pixels too, and in the dark. */
export const style = new Html(`
:root { color-scheme: light dark; --ink: #1c1b22; --soft: #5a5866; --paper: #fff; --ground: #f3f2f6; --line: #d9d7e0;
  --accent: #4b2e83; --on-accent: #fff; --danger: #a3121f; --note: #efeaf9 }
@media (prefers-color-scheme: dark) { :root { --ink: #f1eff7; --soft: #b9b5c6; --paper: #211f2a; --ground: #15141b;
  --line: #45424f; --accent: #c4adf5; --on-accent: #1c1333; --danger: #ff9a9a; --note: #322c45 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere }
header, main { max-width: 36rem; margin: 0 auto }
header p { margin: .5rem 0 1rem; font-weight: 600 }
main { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.125rem }
p { margin: 0 0 .75rem }
a { color: var(--accent) }
header a { color: inherit; text-decoration: none }
header a:hover { text-decoration: underline }
dl { margin: 1rem 0; border-top: 1px solid var(--line) }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line) }
dt { flex: 0 0 5.5rem; color: var(--soft) }
dd { flex: 1 1 12rem; margin: 0 }
table { width: 100%; margin: 1rem 0; border-collapse: collapse }
th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top }
th + td, tfoot td { padding-left: 1rem; text-align: right; white-space: nowrap }
tfoot th, tfoot td { font-weight: 600 }
.note { padding: .75rem 1rem; border-left: .25rem solid var(--accent); border-radius: .25rem; background: var(--note) }
.wrong { border-color: var(--danger) }
.text { margin: 0 0 .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; white-space: pre-line }
.soft, .hint { color: var(--soft) }
.error { color: var(--danger); font-weight: 600 }
ul.steps { padding: 0; list-style: none }
ul.steps a { display: block; margin: 0 0 .5rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
label .hint { font-weight: 400 }
textarea, input { display: block; width: 100%; padding: .625rem; border: 1px solid var(--soft); border-radius: .5rem;
  background: var(--paper); color: inherit; font: inherit }
input[type="checkbox"] { flex: none; width: 1.5rem; height: 1.5rem; margin: 0 }
.check { display: flex; gap: .75rem; align-items: flex-start }
.check label { margin: 0; font-weight: 400 }
button, .button { display: block; width: 100%; min-height: 3rem; margin: 1.25rem 0 .75rem; padding: .625rem 1rem;
  border: 2px solid var(--accent); border-radius: .5rem; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
button.danger, .button.plain { background: transparent; color: var(--accent) }
button.danger { border-color: var(--danger); color: var(--danger) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`)
